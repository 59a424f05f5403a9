package io.postbox.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports for servers that start later, or again: nobody else takes them until this JVM ends. A port
 * that the operating system gave and that was closed again may have a new owner before the server
 * listens on it.
 *
 * <p>They lie below those that operating systems give to whoever asks for any. A JVM gets a block
 * of them at a time by listening on its first one, so two JVMs never have the same. Thread-safe.
 */
public final class Ports {
  private static final int FIRST = 10_000;
  private static final int END = 32_000;
  private static final int BLOCK = 50;

  /** Open until this JVM ends. */
  private static final List<ServerSocket> OWNED = new ArrayList<>();

  private static int next;
  private static int end;

  private Ports() {}

  /**
   * A port on which nobody listens, given once.
   *
   * @throws IllegalStateException if all are taken
   */
  public static synchronized int next() {
    while (true) {
      if (next == end) {
        ownBlock();
      }
      int port = next++;
      if (isFree(port)) {
        return port;
      }
    }
  }

  private static void ownBlock() {
    for (int first = FIRST; first < END; first += BLOCK) {
      if (own(first)) {
        next = first + 1;
        end = first + BLOCK;
        return;
      }
    }
    throw new IllegalStateException(
        "No block of %s ports is left between %s and %s".formatted(BLOCK, FIRST, END));
  }

  private static boolean own(int port) {
    try {
      OWNED.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      return true;
    } catch (IOException taken) {
      return false; // by another JVM, or by a server that is no test's
    }
  }

  /** On each address of this machine. */
  private static boolean isFree(int port) {
    try (ServerSocket any = new ServerSocket(port)) {
      return any.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
