package io.postbox.inbox.log;

/** The lines about the order of versions. Thread-safe. */
public final class OrderLog {
  private OrderLog() {}

  /** Messages whose turn has come cannot be sent; written once until one is. */
  public static void releasesFail(String consumer, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0220",
        "Messages of the consumer '%s', whose turn in the order of versions has come, cannot be sent to it, so they and the versions behind them wait in inbox_parked. This node tries again by itself, every 30 seconds at the latest; other messages are not affected. Check the database, the connection factory and the broker. Reason: %s"
            .formatted(consumer, InboxLog.reason(cause)));
  }

  /** Messages whose turn has come are sent again. */
  public static void releasesWork(String consumer) {
    InboxLog.LOG.info(
        "IBX0221",
        "Messages of the consumer '%s' whose turn in the order of versions has come are sent to it again"
            .formatted(consumer));
  }

  /** A message whose turn has come cannot be read; written once a minute at most. */
  public static void releaseCannotBeRead(String consumer, long id, long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0222",
        "Message %d in inbox_parked of the consumer '%s', whose turn in the order of versions has come, cannot be read, so it and the versions behind it wait (%d such failures since this line was last written). This node tries again by itself. Check the PayloadCipher and its keys. Reason: %s"
            .formatted(id, consumer, times, InboxLog.reason(cause)));
  }

  /** A message whose turn has come can never be sent. */
  public static void notReleased(String consumer, long id, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0223",
        "Message %d in inbox_parked of the consumer '%s' could not be sent when its turn in the order of versions had come, so it is parked (NOT_RELEASED) and the versions behind it wait. Mend the reason and redrive it, pass it to the consumer in the way it came, or discard it. Reason: %s"
            .formatted(id, consumer, InboxLog.reason(cause)));
  }
}
