package io.postbox.inbox.log;

import io.postbox.common.config.Durations;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Delivery;
import java.time.Duration;
import java.util.Objects;

/** The lines about the order of versions. Thread-safe. */
public final class OrderLog {
  private OrderLog() {}

  /** Messages cannot be handed back; written once until one is. */
  public static void releasesFail(String consumer, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0220",
        "Messages of the consumer '%s' that have their turn cannot be sent to it, so they, and the versions behind them, wait in inbox_stored. This node tries again by itself, every 30 seconds at the latest; other messages are not affected. Check the database, the connection factory and the broker. Reason: %s"
            .formatted(consumer, InboxLog.reason(cause)));
  }

  public static void releasesWork(String consumer) {
    InboxLog.LOG.info(
        "IBX0221",
        "Messages of the consumer '%s' that have their turn are sent to it again"
            .formatted(consumer));
  }

  /** A message that is to be handed back cannot be read; written once a minute at most. */
  public static void releaseCannotBeRead(String consumer, long id, long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0222",
        "Message %s in inbox_stored of the consumer '%s', which has its turn, cannot be read, or its queue does not exist, so it and the versions behind it wait (%s such failures since this line was last written). This node tries again by itself; others are not affected. Check the PayloadCipher and its keys, or the queue. Reason: %s"
            .formatted(id, consumer, times, InboxLog.reason(cause)));
  }

  /** A version is missing for too long; written once a minute at most for a consumer. */
  public static void gap(VersionGap gap, int number, Duration limit) {
    InboxLog.LOG.warning(
        "IBX0224",
        "The consumer '%s' misses versions of %s %s for longer than order.longest-gap=%s: %s, since %s. %s messages wait for them%s%s. Such gaps in all: %s. No message is lost. Find out whether the sender has sent them; if one is here already, find out why it is not handled; if one is parked or quarantined, redrive or discard it; if they will never come, skip them on the console's page of gaps, or with VersionGaps.plan and skip."
            .formatted(
                gap.consumer(),
                gap.aggregateType(),
                gap.aggregateId(),
                Durations.text(limit),
                gap.missingVersions(),
                gap.missingSince(),
                gap.waiting(),
                gap.kept().isEmpty()
                    ? ""
                    : ", and missing ones are parked in these rows: %s".formatted(gap.kept()),
                gap.here().isEmpty()
                    ? ""
                    : ", and some have arrived and are not handled yet: %s".formatted(gap.here()),
                number));
  }

  /** The gaps could not be read; written once until they can. */
  public static void gapsNotRead(Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0225",
        "Gaps in the order of versions cannot be read, so metrics show the last ones; messages are not affected. Check the database. Reason: %s"
            .formatted(InboxLog.reason(cause)));
  }

  /** A message with an old version was skipped; written once a minute at most. */
  public static void stale(Delivery delivery, long times) {
    Aggregate aggregate = Objects.requireNonNull(delivery.aggregate());
    InboxLog.LOG.warning(
        "IBX0250",
        "Message %s for the consumer '%s' was skipped as stale and not handled: it is version %s of %s %s, of which a later version was handled before, and its id is new (%s such messages since this line was last written). That is right for a version that an operator has skipped or discarded, and for a copy older than postbox.inbox.retention; otherwise find out why its sender gave the version twice, or gave it an earlier number than it had."
            .formatted(
                delivery.knownId().orElse(""),
                delivery.consumer(),
                aggregate.version(),
                aggregate.type(),
                aggregate.id(),
                times));
  }

  public static void skipped(VersionGap gap, String who, String why) {
    InboxLog.LOG.info(
        "IBX0226",
        "%s skipped versions of %s %s for the consumer '%s': %s. Version %s is handled next; a later message with a skipped version is skipped as stale. Reason: %s"
            .formatted(
                who,
                gap.aggregateType(),
                gap.aggregateId(),
                gap.consumer(),
                gap.missingVersions(),
                gap.firstWaiting(),
                why));
  }

  public static void notReleased(String consumer, long id, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0223",
        "Message %s in inbox_stored of the consumer '%s' could not be sent when it had its turn, so it is kept aside (NOT_RELEASED) and the versions behind it wait. Mend the reason and redrive it, pass it to the consumer in the way it came, or discard it. Reason: %s"
            .formatted(id, consumer, InboxLog.reason(cause)));
  }
}
