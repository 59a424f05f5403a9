package io.postbox.console.http;

import io.postbox.common.log.Causes;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.log.ModuleLog;
import io.postbox.common.log.Throttle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The console's log lines, each with an id that docs/console.md explains. Whoever has a role can
 * cause them, so a failure of one cause has one line in a minute. Thread-safe.
 */
public final class ConsoleLog {
  /** How much the log reveals of exceptions, set once at start. */
  static final ExceptionDetail EXCEPTIONS = new ExceptionDetail();

  private static final ModuleLog LOG = new ModuleLog("io.postbox.console", EXCEPTIONS);
  private static final int MOST_CAUSES = 100;

  private final LongSupplier nanos;
  private final Map<String, Repeated> causes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Repeated> eldest) {
          return size() > MOST_CAUSES;
        }
      };

  private static final class Repeated {
    private final Throttle throttle;
    private UUID incident = UUID.randomUUID();

    Repeated(LongSupplier nanos) {
      throttle = new Throttle(nanos);
    }
  }

  /**
   * @param nanos the time in nanoseconds, from any origin
   */
  ConsoleLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A request failed; returns the incident under which the log has the cause. */
  synchronized UUID failed(String method, String path, Throwable thrown) {
    Repeated repeated = causes.computeIfAbsent(innermost(thrown), cause -> new Repeated(nanos));
    long times = repeated.throttle.take();
    if (times > 0) {
      repeated.incident = UUID.randomUUID();
      LOG.error(
          "PBC0001",
          "The console could not answer %s %s, incident %s%s. If it was an action, a part of it may be done; postbox_audit says how much."
              .formatted(
                  method,
                  path,
                  repeated.incident,
                  times == 1
                      ? ""
                      : ", and %s requests before it for a cause of the same class"
                          .formatted(times - 1)),
          thrown);
    }
    return repeated.incident;
  }

  private static String innermost(Throwable thrown) {
    return Causes.of(thrown).reduce((outer, inner) -> inner).orElse(thrown).getClass().getName();
  }

  /** The numbers of a minute were not counted, or not kept; once until they are again. */
  public static void notSampled(Throwable cause) {
    LOG.warning(
        "PBC0004",
        "The numbers of the last minute could not be counted or kept, so the overview's charts have"
            + " a gap, or lose it at the next restart. No message is concerned. If the database"
            + " works, see that its user may change outbox_count and inbox_count.",
        cause);
  }

  /** Only for whoever looks for it, because anybody with a role can cause it. */
  static void unusable(String method, String path, Throwable cause) {
    LOG.debug(
        "PBC0002",
        "A module did not take the values of %s %s; nothing was changed. Reason: %s"
            .formatted(method, path, EXCEPTIONS.chain(cause)));
  }

  /** Only for whoever looks for it, because anybody with a role can cause it. */
  static void tooSlow(String method, String path, Throwable cause) {
    LOG.debug(
        "PBC0003",
        "The database did not answer %s %s in time, and cancelled it. Reason: %s"
            .formatted(method, path, EXCEPTIONS.chain(cause)));
  }
}
