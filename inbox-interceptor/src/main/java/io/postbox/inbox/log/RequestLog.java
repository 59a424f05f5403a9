package io.postbox.inbox.log;

/** The lines about HTTP requests with a key. Thread-safe. */
public final class RequestLog {
  private RequestLog() {}

  public static void tooLong(String consumer, int limit, long times) {
    InboxLog.LOG.error(
        "IBX0210",
        "The response of an @Idempotent method of the consumer '%s' is longer than its maxResponseBytes=%s, so its transaction was rolled back and the client got 500 (%s times since this line was last written). Raise that limit or shorten the response."
            .formatted(consumer, limit, times));
  }

  public static void notCommitted(String consumer, long times, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0211",
        "The transaction of an @Idempotent method of the consumer '%s' did not commit, so the client got 500 and may repeat the request with its key (%s times since this line was last written). Reason: %s"
            .formatted(consumer, times, InboxLog.reason(cause)));
  }

  public static void notIntercepted(String method, long times) {
    InboxLog.LOG.error(
        "IBX0260",
        "The server called the method %s, which has @Idempotent, without the inbox, so its effects are not remembered and the client got 500 (%s times since this line was last written). Let the server take the resource from CDI: write @Idempotent on the resource's class or its method and give the class a CDI scope; do not list an instance in Application.getSingletons(); do not switch the discovery of beans off in its archive."
            .formatted(method, times));
  }

  public static void anonymous(String method, long times) {
    InboxLog.LOG.warning(
        "IBX0261",
        "A request for the @Idempotent method %s had a key and no principal to whom it could belong, so nothing was done and the client got 403 (%s times since this line was last written). Let callers log in, so that the resource's SecurityContext names them. If all callers may share the method's keys, write @Idempotent(anonymous = true)."
            .formatted(method, times));
  }

  public static void unavailable(String consumer, long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0212",
        "The inbox could not look up the key of a request of the consumer '%s', so nothing was done and the client got 503 with Retry-After (%s times since this line was last written). Check the database, and whether the pool of postbox.inbox.data-source has a connection for each request that runs at once. Reason: %s"
            .formatted(consumer, times, InboxLog.reason(cause)));
  }
}
