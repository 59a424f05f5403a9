package io.postbox.console.http;

import java.lang.System.Logger.Level;
import java.util.UUID;

/** The console's log lines, each with an id that docs/console.md explains. */
final class ConsoleLog {
  private static final System.Logger LOG = System.getLogger("io.postbox.console");

  private ConsoleLog() {}

  static void failed(UUID incident, String method, String path, Throwable cause) {
    LOG.log(
        Level.ERROR,
        "PBC0001 The console could not answer "
            + method
            + " "
            + printable(path)
            + ", incident "
            + incident
            + ". If it was an action, a part of it may be done; postbox_audit says how much.",
        cause);
  }

  /** Only for whoever looks for it, because anybody with a role can cause it. */
  static void unusable(String method, String path, Throwable cause) {
    LOG.log(
        Level.DEBUG,
        "PBC0002 A module did not take the values of "
            + method
            + " "
            + printable(path)
            + "; nothing was changed.",
        cause);
  }

  private static String printable(String path) {
    return path.replaceAll("\\p{Cntrl}", "?");
  }
}
