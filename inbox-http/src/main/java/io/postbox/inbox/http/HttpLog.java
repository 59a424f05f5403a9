package io.postbox.inbox.http;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.log.RequestLog;

/** Writes the lines that a client can cause once a minute at most, with a count. Thread-safe. */
final class HttpLog {
  private static final Throttle TOO_LONG = new Throttle(System::nanoTime);
  private static final Throttle NOT_COMMITTED = new Throttle(System::nanoTime);
  private static final Throttle NOT_INTERCEPTED = new Throttle(System::nanoTime);
  private static final Throttle ANONYMOUS = new Throttle(System::nanoTime);
  private static final Throttle UNAVAILABLE = new Throttle(System::nanoTime);

  private HttpLog() {}

  static void tooLong(String consumer, int limit) {
    TOO_LONG.tell(times -> RequestLog.tooLong(consumer, limit, times));
  }

  static void notCommitted(String consumer, Throwable cause) {
    NOT_COMMITTED.tell(times -> RequestLog.notCommitted(consumer, times, cause));
  }

  static void notIntercepted(String method) {
    NOT_INTERCEPTED.tell(times -> RequestLog.notIntercepted(method, times));
  }

  static void anonymous(String method) {
    ANONYMOUS.tell(times -> RequestLog.anonymous(method, times));
  }

  static void unavailable(String consumer, Throwable cause) {
    UNAVAILABLE.tell(times -> RequestLog.unavailable(consumer, times, cause));
  }
}
