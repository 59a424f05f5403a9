package io.postbox.it.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A stretch of network between a client and the server, which breaks once after so many bytes.
 * Thread-safe.
 */
final class CuttingProxy implements AutoCloseable {
  /** The direction whose bytes are counted. */
  enum Direction {
    REQUEST,
    RESPONSE
  }

  /**
   * The part of a piece that may pass.
   *
   * @param bytes how much
   * @param isLast whether the connection breaks after it
   */
  private record Passing(int bytes, boolean isLast) {}

  private final int target;
  private final ServerSocket entrance;
  private Direction cutIn = Direction.REQUEST;
  private long left = Long.MAX_VALUE;
  private long requestBytes;
  private int cuts;
  private ByteArrayOutputStream answered = new ByteArrayOutputStream();

  CuttingProxy(int targetPort) throws IOException {
    target = targetPort;
    entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    background(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** Breaks the connection on which this many bytes, from now on, have passed in a direction. */
  synchronized void cutAfter(Direction direction, long bytes) {
    cutIn = direction;
    left = bytes;
    requestBytes = 0;
    answered = new ByteArrayOutputStream();
  }

  /** How many connections it has broken. */
  synchronized int cuts() {
    return cuts;
  }

  /** How many bytes of requests have passed since {@link #cutAfter}. */
  synchronized long requestBytes() {
    return requestBytes;
  }

  /** The bytes of responses that have passed since {@link #cutAfter}. */
  synchronized String answered() {
    return answered.toString(StandardCharsets.ISO_8859_1);
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        Socket client = entrance.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        AtomicBoolean broken = new AtomicBoolean();
        background(() -> forward(Direction.REQUEST, client, server, broken));
        background(() -> forward(Direction.RESPONSE, server, client, broken));
      } catch (IOException closed) {
        // the waiting caller sees that
      }
    }
  }

  private void forward(Direction direction, Socket from, Socket to, AtomicBoolean broken) {
    byte[] piece = new byte[8_192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        Passing passing = passing(direction, piece, read, broken);
        out.write(piece, 0, passing.bytes());
        out.flush();
        if (passing.isLast()) {
          return; // both ends are closed
        }
      }
    } catch (IOException closed) {
      // the other end is closed as well
    }
  }

  private synchronized Passing passing(
      Direction direction, byte[] piece, int read, AtomicBoolean broken) {
    if (broken.get()) {
      return new Passing(0, true);
    }
    int pass = read;
    boolean cut = false;
    if (direction == cutIn && left <= read) {
      pass = (int) left;
      left = Long.MAX_VALUE;
      cuts++;
      cut = true;
    } else if (direction == cutIn && left != Long.MAX_VALUE) {
      left -= read;
    }
    if (direction == Direction.REQUEST) {
      requestBytes += pass;
    } else {
      answered.write(piece, 0, pass);
    }
    broken.set(cut);
    return new Passing(pass, cut);
  }

  private static void background(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
  }
}
