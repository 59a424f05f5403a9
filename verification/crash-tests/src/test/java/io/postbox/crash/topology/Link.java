package io.postbox.crash.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A stretch of network between a server and its database or broker, which can be cut, slow, or
 * silent. Thread-safe.
 *
 * <p>Cut: open connections are reset, and no new ones are let in. Slow: each piece of data takes
 * its time, in both directions. Silent, as behind a firewall that drops: open connections stay
 * open, new ones are taken, and nothing arrives on either side; data sent meanwhile arrive when the
 * silence ends.
 */
public final class Link implements AutoCloseable {
  private static final int PIECE = 16 * 1024;

  private enum State {
    OPEN,
    CUT,
    SILENT
  }

  private final InetSocketAddress target;
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private State state = State.OPEN;
  private Duration delay = Duration.ZERO;

  /**
   * Opens a way to a port of this machine.
   *
   * @param name for its threads
   */
  Link(String name, int targetPort) {
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    try {
      entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("No port for the link " + name, e);
    }
    background(name, this::take);
  }

  /** Where to connect to instead of the target. */
  int port() {
    return entrance.getLocalPort();
  }

  /** How many connections go through it. */
  public int connections() {
    return open.size() / 2;
  }

  public synchronized void cut() {
    state = State.CUT;
    open.forEach(Link::reset);
    open.clear();
    notifyAll();
  }

  /**
   * @param each how much later each piece arrives
   */
  public synchronized void slow(Duration each) {
    delay = each;
  }

  public synchronized void silence() {
    state = State.SILENT;
  }

  /** Ends whatever was done to it. */
  public synchronized void restore() {
    state = State.OPEN;
    delay = Duration.ZERO;
    notifyAll();
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  private void take() {
    while (!entrance.isClosed()) {
      try {
        connect(entrance.accept());
      } catch (IOException closed) {
        // the next turn of the loop sees that the link was closed; everything else is one
        // connection's bad luck
      }
    }
  }

  private void connect(Socket near) throws IOException {
    Socket far = new Socket();
    synchronized (this) {
      if (state == State.CUT || entrance.isClosed()) {
        reset(near);
        return;
      }
      open.add(near);
      open.add(far);
    }
    try {
      far.connect(target);
    } catch (IOException nobodyThere) {
      drop(near, far);
      throw nobodyThere;
    }
    near.setOption(StandardSocketOptions.TCP_NODELAY, true);
    far.setOption(StandardSocketOptions.TCP_NODELAY, true);
    background("there", () -> carry(near, far));
    background("back", () -> carry(far, near));
  }

  private void carry(Socket from, Socket to) {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        passage();
        out.write(piece, 0, length);
      }
      passage(); // not even an end is heard through silence
      to.shutdownOutput();
      from.shutdownInput();
      if (to.isInputShutdown()) {
        drop(from, to);
      }
    } catch (IOException | InterruptedException broken) {
      drop(from, to); // as a network does, without a word
    }
  }

  private void passage() throws InterruptedException {
    Duration wait;
    synchronized (this) {
      while (state == State.SILENT) {
        wait();
      }
      wait = delay;
    }
    Thread.sleep(wait.toMillis());
  }

  private void drop(Socket one, Socket other) {
    reset(one);
    reset(other);
    open.remove(one);
    open.remove(other);
  }

  /** A RST, not an orderly end. */
  private static void reset(Socket socket) {
    try (socket) {
      socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      // it is closed already, which is what was wanted
    }
  }

  private static void background(String name, Runnable work) {
    Thread thread = new Thread(work, "link-" + name);
    thread.setDaemon(true);
    thread.start();
  }
}
