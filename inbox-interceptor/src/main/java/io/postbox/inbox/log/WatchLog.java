package io.postbox.inbox.log;

import io.postbox.common.config.Durations;
import io.postbox.inbox.ReplyRefused;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The log lines about what is watched rather than done, {@code IBX0081} and on. Thread-safe. */
public final class WatchLog {
  private WatchLog() {}

  /** A message that was sent again is not as it was received. */
  public static void notPutBack(String consumer, Collection<String> names, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0088",
        "A message for the consumer '%s' was sent again by sending the object that was received, and the provider does not let it be made as it was: %s. Another consumer that is handed the same object does not read there what the broker delivered. Reason: %s"
            .formatted(consumer, String.join(", ", names), InboxLog.reason(cause)));
  }

  /** The gauges show the last count. */
  public static void countFailed(Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0081",
        "What the inbox keeps aside cannot be counted, so metrics and health show the last count: "
            + InboxLog.reason(cause));
  }

  /** The gauges are fresh again. */
  public static void countWorks() {
    InboxLog.LOG.info("IBX0082", "What the inbox keeps aside can be counted again");
  }

  /** Observers are slower than the deliveries. */
  public static void eventsAreDropped(int waiting) {
    InboxLog.LOG.warning(
        "IBX0083",
        "%d events wait for observers that are too slow; further ones are dropped. The messages themselves are not concerned"
            .formatted(waiting));
  }

  /** Observers have caught up. */
  public static void eventsAreTakenAgain(long dropped) {
    InboxLog.LOG.info(
        "IBX0084", "Observers have caught up; %d events were dropped".formatted(dropped));
  }

  /** An observer threw something; told once a minute at most. */
  public static void observerFailed(long failures, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0085",
        "An observer of the inbox's events has failed, %d times since this was last told: %s"
            .formatted(failures, InboxLog.reason(cause)));
  }

  /** Something that is done again and again failed in an unforeseen way; told once in a row. */
  public static void roundBrokeDown(String thread, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0130",
        "A round of the thread '%s' broke down. The messages are not concerned; the next round begins as usual, and this is not told again until one has ended well. Look at what the process lacks. Reason: %s"
            .formatted(thread, InboxLog.reason(cause)));
  }

  /** A thread ended before its task did. */
  public static void threadBrokeDown(String thread, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0131",
        "The thread '%s' broke down. The messages are not concerned; another thread begins when there is something to do. Look at what the process lacks. Reason: %s"
            .formatted(thread, InboxLog.reason(cause)));
  }

  /** What should be away is here; told once a minute at most. */
  public static void notSentAway(String consumer, String messageId, Duration hold) {
    InboxLog.LOG.warning(
        "IBX0087",
        "Message %s for the consumer '%s' should be retried later, and could not be sent with a delay, or fails without its handler, so the broker redelivers it at once. Each such delivery is held up for %s at most, which keeps other messages waiting; the message is tried when its time has come. For a topic set postbox.inbox.consumer.%s.retry-destination; otherwise look at the reason in the server's log, at that queue, at the connection factory and at the broker."
            .formatted(
                messageId.isEmpty() ? "without a usable id" : messageId,
                consumer,
                Durations.text(hold),
                consumer));
  }

  /** Somebody else has set the inbox's own properties; told once a minute at most. */
  public static void unproven(
      String consumer, @Nullable String messageId, Collection<String> properties, long times) {
    InboxLog.LOG.warning(
        "IBX0140",
        "A message for the consumer '%s' has properties that only the inbox of this service sets (%s), without its proof, InboxProof: they are ignored, and the message is treated as it would be without them (%d such deliveries since this was last told). Message id: %s. A sender has set them, a bridge or an application has copied them from a message of another service or with another body or id, or the tables were made anew while copies were on their way: look for who sends it, and have the properties that begin with Inbox left out."
            .formatted(
                consumer,
                String.join(", ", properties),
                times,
                messageId == null ? "without a usable one" : messageId));
  }

  /** A copy would land at another broker; told once for each consumer. */
  public static void anotherProvider(String consumer, String factory, String own, String received) {
    InboxLog.LOG.error(
        "IBX0141",
        "Messages for the consumer '%s' come from the broker of another provider than the connection factory %s leads to (%s, and it makes %s): a copy sent with it would be lost to the queue that its message came from. Nothing is sent; a message whose handler fails is left to its broker, which redelivers it at once, and is held up until its time has come. Set postbox.inbox.consumer.%s.connection-factory to the JNDI name of a connection factory of the broker on which the consumer listens."
            .formatted(consumer, factory, received, own, consumer));
  }

  /**
   * An answer does not go to where the sender of a message wants it; told once a minute at most.
   */
  public static void replyRefused(ReplyRefused refused, long times) {
    InboxLog.LOG.warning(
        "IBX0180",
        "The answer to message %s for the consumer '%s' was not sent to %s, %s (%d answers were refused since this was last told). The handler's work is done, and the answer stays in inbox_result."
            .formatted(
                refused.messageId(),
                refused.consumer(),
                refused.replyTo().orElse("where its JMSReplyTo points, which has no usable name"),
                why(refused),
                times));
  }

  private static String why(ReplyRefused refused) {
    return switch (refused.why()) {
      case NOT_ALLOWED ->
          "because postbox.inbox.reply-to does not allow that. If it is where answers are meant to go, name it there or in postbox.inbox.consumer.%s.reply-to; otherwise look for who sends such messages"
              .formatted(refused.consumer());
      case ANOTHER_THAN_RECORDED ->
          "because the message that was handled under that id asked for its answer elsewhere."
              + " Whoever repeats a request repeats its JMSReplyTo too; otherwise somebody who"
              + " knows the id wants another one's answer: look for who sends such messages";
    };
  }

  /** There is a cipher, and rows that it has not seen; told once a minute at most. */
  public static void plainRows(long times) {
    InboxLog.LOG.warning(
        "IBX0161",
        "Something that is not encrypted was read, although there is a PayloadCipher (%d times since this was last told; reading it again counts again). It was written before there was one, or somebody else has written it. When this is told no more, set postbox.encryption=required, and nothing is read in the clear."
            .formatted(times));
  }

  /** Fingerprints need a key that the application's cipher does not open; told once in a row. */
  public static void noFingerprintKey(String problem) {
    InboxLog.LOG.error(
        "IBX0162",
        "The inbox is not ready: deliveries fail and are redelivered, and nothing is handled without its fingerprint. Reason: %s. It is tried again with every delivery and every few seconds. Let the PayloadCipher know the key that the row with id 2 was encrypted with. If that key is lost, delete that row: fingerprints then get a new key, and a duplicate with an id from before is quarantined rather than skipped."
            .formatted(problem));
  }

  /** The application's cipher must not be used. */
  public static void cipherRefused(String problem) {
    InboxLog.LOG.error(
        "IBX0165",
        "The inbox does not start, or handles nothing: deliveries fail and are redelivered. Reason: %s"
            .formatted(problem));
  }

  /** Readiness is down; told once in a row. */
  public static void notReady(String reason) {
    InboxLog.LOG.warning(
        "IBX0163",
        "This node is not ready, because the inbox's database does not answer or takes no writes:"
            + " deliveries wait or are redelivered. It is asked again whenever health is. Reason: "
            + reason);
  }

  /** Readiness is up again. */
  public static void readyAgain() {
    InboxLog.LOG.info("IBX0164", "The inbox's database answers again, so this node is ready");
  }

  /** Many were kept aside, and not told one by one; see {@link KeptLines}. */
  public static void keptHeldBack(String consumer, long messages, Duration during) {
    InboxLog.LOG.error(
        "IBX0181",
        "%d more messages for the consumer '%s' were quarantined or parked within %s than IBX0005 and IBX0009 told of, which tell the first ones of a minute. They are kept like those, until a person decides: look for who sends them."
            .formatted(messages, consumer, Durations.text(during)));
  }

  /** No more is kept of a consumer; told once a minute at most. */
  public static void full(
      String consumer, int messages, long bytes, String consequence, long times) {
    InboxLog.LOG.error(
        "IBX0182",
        "As much is kept aside for the consumer '%s' as postbox.inbox.quota allows (messages=%d, bytes=%d): %s (%d messages since this was last told). Look for who sends them, redrive or discard what is kept, or raise the quota."
            .formatted(consumer, messages, bytes, consequence, times));
  }

  /** An endpoint brings nothing more, until there is room. */
  public static void pausedFull(String endpoint, String consumer) {
    InboxLog.LOG.error(
        "IBX0183",
        "The endpoint %s is paused, because as much is kept aside for the consumer '%s' as postbox.inbox.quota allows: its messages stay in their queue, also good ones. It is resumed when a tenth of the quota is free: redrive or discard what is kept, raise the quota, or set postbox.inbox.quota.when-full=metadata, with which further bodies are lost."
            .formatted(endpoint, consumer));
  }

  /** An endpoint brings messages again. */
  public static void resumedWithRoom(String endpoint, String consumer) {
    InboxLog.LOG.warning(
        "IBX0184",
        "The endpoint %s is resumed: there is room again for what is kept aside for the consumer '%s'."
            .formatted(endpoint, consumer));
  }

  /** A message is about to be quarantined, because the application could not tell its id. */
  public static void resolverFailed(String consumer, String resolver, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0086",
        "%s could not tell the id of a message for the consumer '%s', which is taken for malformed: %s"
            .formatted(resolver, consumer, InboxLog.reason(cause)));
  }
}
