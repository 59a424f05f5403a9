package io.postbox.crash.topology;

import java.util.List;

/** Ends what was begun, whatever goes wrong with some of it: no process is to stay behind. */
public final class CloseAll {
  private CloseAll() {}

  /**
   * Closes all, in this order.
   *
   * @throws IllegalStateException if something did not close, after the others have
   */
  public static void all(List<? extends AutoCloseable> all) {
    IllegalStateException failed = null;
    for (AutoCloseable one : all) {
      try {
        one.close();
      } catch (Exception e) {
        if (failed == null) {
          failed = new IllegalStateException("Something did not end: " + one, e);
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
