package io.postbox.inbox.log;

/** The lines about captured messages. Thread-safe. */
public final class CaptureLog {
  private CaptureLog() {}

  public static void started(String consumer, String handler, int workers) {
    InboxLog.LOG.info(
        "IBX0190",
        "The consumer '%s' captures its messages: %s handles them, up to %s at once on this node"
            .formatted(consumer, handler, workers));
  }

  public static void handledElsewhere(String consumer, long messages) {
    InboxLog.LOG.warning(
        "IBX0198",
        "%s captured messages of the consumer '%s' wait for a node with its handler: this one has no @InboxHandler(\"%s\"). No attempt is counted. While nodes are upgraded one by one that is expected; otherwise deploy the handler, or discard the messages of a consumer that is gone."
            .formatted(messages, consumer, consumer));
  }

  public static void goOn(String consumer, int holds) {
    InboxLog.LOG.info(
        "IBX0230",
        "%s parked messages of the consumer '%s' held their ordering keys, and do not any more, because postbox.inbox.capture.on-parked is now continue: the messages behind them are handled. They stay parked."
            .formatted(holds, consumer));
  }

  public static void notRead(String consumer, long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0191",
        "The captured messages of the consumer '%s' could not be read (%s times since this line was last written): none of them is handled by this node meanwhile. It tries again every few seconds; check the database. Reason: %s"
            .formatted(consumer, times, InboxLog.reason(cause)));
  }

  public static void notHandled(String consumer, long times, int budget, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0192",
        "A captured message of the consumer '%s' did not come to its handler (%s times since this line was last written). It stays in inbox_stored and is tried again after its backoff; after %s such failures it is parked (HANDLER_NOT_REACHED). Mend the reason. Reason: %s"
            .formatted(consumer, times, budget, InboxLog.reason(cause)));
  }

  public static void notParked(String consumer, long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0243",
        "A captured message of the consumer '%s' has failed often enough and could not be parked (%s times since this line was last written). It stays in inbox_stored and is tried again after its backoff; those with its ordering key wait. Mend the reason. Reason: %s"
            .formatted(consumer, times, InboxLog.reason(cause)));
  }

  public static void retriesHastened(int messages) {
    InboxLog.LOG.warning(
        "IBX0245",
        "%s retries of captured messages would have waited for longer than any backoff, as they do after the database's clock was set back: they are due now. No message is lost; check the clock of the database's machine."
            .formatted(messages));
  }

  public static void notReplied(String consumer, long times, int budget, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0241",
        "A captured message of the consumer '%s' was handled, and its reply could not be sent (%s times since this line was last written). The reply is in inbox_result and is tried again after the consumer's backoff; those with its ordering key do not wait. After %s such failures the message is parked (REPLY_NOT_SENT): a redrive sends the reply again, a discard gives it up. Check the consumer's connection factory, the rights to send there, and the broker. Reason: %s"
            .formatted(consumer, times, budget, InboxLog.reason(cause)));
  }

  public static void paused(String endpoint, String consumer) {
    InboxLog.LOG.warning(
        "IBX0193",
        "The endpoint %s is paused because as many captured messages of the consumer '%s' wait as postbox.inbox.capture.limit allows, or as large ones as capture.bytes allows: further ones stay in their queue. It is resumed when a tenth of the limit is free. If the handler cannot keep up, raise postbox.inbox.consumer.%s.capture.workers; if nothing is handled, see why its messages fail or are held."
            .formatted(endpoint, consumer, consumer));
  }

  public static void refused(String consumer, int limit, long bytes, long times) {
    InboxLog.LOG.warning(
        "IBX0197",
        "InboxGuard refused to capture messages for the consumer '%s', because as many of its messages wait to be handled as postbox.inbox.capture.limit allows, %s, or as large ones as capture.bytes allows, %s (%s times since this line was last written). Callers are asked to bring them again after a second, and nothing is lost if they do. It captures again when a tenth of the limit is free. If the handler cannot keep up, raise postbox.inbox.consumer.%s.capture.workers; if nothing is handled, see why its messages fail or are held."
            .formatted(consumer, limit, bytes, times, consumer));
  }

  public static void handlingPaused(String consumer, String who, String why) {
    InboxLog.LOG.info(
        "IBX0195",
        "%s paused '%s': its messages are captured, and wait until it is resumed: %s"
            .formatted(who, consumer, why));
  }

  public static void handlingResumed(String consumer, String who, String why) {
    InboxLog.LOG.info(
        "IBX0196",
        "%s resumed '%s', its captured messages are handled again: %s"
            .formatted(who, consumer, why));
  }

  public static void resumed(String endpoint, String consumer) {
    InboxLog.LOG.info(
        "IBX0194",
        "The endpoint %s is resumed: a tenth of postbox.inbox.capture.limit and capture.bytes of the consumer '%s' is free again"
            .formatted(endpoint, consumer));
  }
}
