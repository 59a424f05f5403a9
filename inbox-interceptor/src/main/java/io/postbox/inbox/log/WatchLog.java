package io.postbox.inbox.log;

import io.postbox.common.config.Durations;
import io.postbox.inbox.ReplyRefused;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The log lines of monitoring, {@code IBX0081} and on. Thread-safe. */
public final class WatchLog {
  private WatchLog() {}

  public static void notRestored(String consumer, Collection<String> names, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0088",
        "A message for the consumer '%s' was resent as the received object, and the provider does not allow these of its headers and properties to be restored: %s. Another consumer that is given the same object reads other values than the broker delivered. Reason: %s"
            .formatted(consumer, String.join(", ", names), InboxLog.reason(cause)));
  }

  /** What is counted, each by its own watch. */
  public enum Counted {
    /** What the inbox keeps aside or has captured. */
    KEPT_ASIDE("parked, quarantined and captured messages"),
    /** The aggregates of a consumer that handles versions in order. */
    AGGREGATES("aggregates that wait for a version");

    private final String words;

    Counted(String words) {
      this.words = words;
    }
  }

  public static void countFailed(Counted what, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0081",
        "The %s cannot be counted, so metrics and health show the last count; messages are not affected. Check the database. Reason: %s"
            .formatted(what.words, InboxLog.reason(cause)));
  }

  public static void countWorks(Counted what) {
    InboxLog.LOG.info(
        "IBX0082", "The %s were counted again: metrics are up to date".formatted(what.words));
  }

  /** A periodic task failed unexpectedly; written once until it succeeds. */
  public static void roundBrokeDown(String thread, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0130",
        "A run of the thread '%s' failed unexpectedly. No message is lost; the next run begins as usual, and this line is not repeated until a run has succeeded. The process may be out of memory or threads. Reason: %s"
            .formatted(thread, InboxLog.reason(cause)));
  }

  /** Tracing failed; written once a minute at most. */
  public static void tracingFailed(long times, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0173",
        "Tracing failed, so messages were handled without a span of their own (%s times since this line was last written). Messages are not affected. Check the telemetry feature. Reason: %s"
            .formatted(times, InboxLog.reason(cause)));
  }

  public static void threadBrokeDown(String thread, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0131",
        "The thread '%s' ended before its task was done. No message is lost: what it had to write or to watch waits for the next task of that name, which starts another thread; a worker is replaced within seconds. The process may be out of memory or threads. Reason: %s"
            .formatted(thread, InboxLog.reason(cause)));
  }

  /** Not all workers of a consumer run; written once until they do. */
  public static void workersMissing(String thread, int alive, int configured, Throwable cause) {
    InboxLog.LOG.error(
        "IBX0240",
        "Only %s of the %s threads '%s' run, because no thread could be started: messages that they would handle or release wait for the others, or for another node. The inbox tries again every few seconds. Look at the process's memory and at its limit of threads. Reason: %s"
            .formatted(alive, configured, thread, InboxLog.reason(cause)));
  }

  public static void workersWaitForStart(
      String application, Duration waited, Collection<String> consumers) {
    InboxLog.LOG.warning(
        "IBX0244",
        "The application '%s' has not started for %s: this node handles no captured messages and releases no versions until it has, because before that its names cannot be looked up (consumers: %s). These messages wait, or other nodes handle them. Look for what its start waits for."
            .formatted(application, Durations.text(waited), String.join(", ", consumers)));
  }

  public static void contextEnded() {
    InboxLog.LOG.warning(
        "IBX0132",
        "The context in which the inbox calls observers, ciphers and connection factories ended"
            + " with another application of this server. Until this application receives a message,"
            + " or one of its components calls the inbox, they are called without one and do not"
            + " see its java: names. Messages are not affected");
  }

  /** A retry could not be delayed by the broker; written once a minute at most. */
  public static void notSentAway(String consumer, String messageId, Duration hold) {
    InboxLog.LOG.warning(
        "IBX0087",
        "Message %s for the consumer '%s' should be retried later, and was not stored until then, or fails before its handler is called, so it waits at the broker, which redelivers it at once. Each such delivery is throttled for %s at most, which delays other messages; the message is retried when its delay has passed. A message is not stored if it is an object message, if JMS cannot send it again as it was, if quota.messages or quota.bytes is reached, or if it came from a topic: there set postbox.inbox.consumer.%s.retry-destination. Otherwise look at the reason in the server's log."
            .formatted(
                messageId.isEmpty() ? "without a usable id" : messageId,
                consumer,
                Durations.text(hold),
                consumer));
  }

  /** The inbox's own properties are set without a valid proof; written once a minute at most. */
  public static void unproven(
      String consumer, @Nullable String messageId, Collection<String> properties, long times) {
    InboxLog.LOG.warning(
        "IBX0140",
        "A message for the consumer '%s' has properties that only the inbox of this service sets (%s), without its proof, InboxProof: they are ignored, and the message is handled as if it did not have them (%s such deliveries since this line was last written). Message id: %s. A sender has set them, a bridge or an application has copied them from a message of another service or with another body or id, or the tables were created anew while resent messages were on their way: find the sender, and have it leave out the properties that begin with Inbox."
            .formatted(
                consumer,
                String.join(", ", properties),
                times,
                messageId == null ? "without a usable one" : messageId));
  }

  /** A resent message would go to another broker; written once for each consumer. */
  public static void anotherProvider(String consumer, String factory, String own, String received) {
    InboxLog.LOG.error(
        "IBX0141",
        "Messages for the consumer '%s' come from another JMS provider than that of the connection factory %s (%s, and it creates %s): a message resent with it would not return to its queue, and a reply would not find its requester. The inbox resends nothing and sends no replies; the broker redelivers a failed message at once, and the inbox throttles it until its delay has passed. Set postbox.inbox.consumer.%s.connection-factory to the JNDI name of a connection factory of the broker on which the consumer listens."
            .formatted(consumer, factory, received, own, consumer));
  }

  /** A reply was not sent to the requested destination; written once a minute at most. */
  public static void replyRefused(ReplyRefused refused, long times) {
    InboxLog.LOG.warning(
        "IBX0180",
        "The reply to message %s for the consumer '%s' was not sent to %s, %s (%s replies were refused since this line was last written). The handler's work is committed, and the reply stays in inbox_result."
            .formatted(
                refused.messageId(),
                refused.consumer(),
                refused
                    .replyTo()
                    .orElse("the destination in its JMSReplyTo, which has no usable name"),
                why(refused),
                times));
  }

  private static String why(ReplyRefused refused) {
    return switch (refused.why()) {
      case NOT_ALLOWED ->
          "because postbox.inbox.reply-to does not allow that destination. If replies should go there, add it to that key or to postbox.inbox.consumer.%s.reply-to; otherwise find the sender of such messages. A captured request from another JMS provider is refused like that too, and IBX0141 reports it"
              .formatted(refused.consumer());
      case ANOTHER_PROVIDER ->
          "because the request came from another JMS provider than that of the consumer's connection factory, at whose broker that name is another destination, or none. Set postbox.inbox.consumer.%s.connection-factory to one of the broker on which the consumer listens (IBX0141)"
              .formatted(refused.consumer());
      case ANOTHER_THAN_RECORDED ->
          "because the message that was handled under that id named another reply destination. A"
              + " repeated request must repeat its JMSReplyTo; otherwise a sender that knows the id"
              + " may be asking for another sender's reply: find the sender of such messages";
    };
  }

  /** Plaintext rows were read although there is a cipher; written once a minute at most. */
  public static void plainRows(long times) {
    InboxLog.LOG.warning(
        "IBX0161",
        "Plaintext was read although there is a PayloadCipher (%s times since this line was last written; reading a row again counts again). It was written before the cipher was deployed, or another program wrote it. Once this line no longer appears, set postbox.encryption=required, and the inbox reads no plaintext."
            .formatted(times));
  }

  /**
   * The application's cipher does not decrypt the key of the fingerprints; written once until it
   * does.
   */
  public static void noFingerprintKey(String problem) {
    InboxLog.LOG.error(
        "IBX0162",
        "The inbox is not ready: deliveries fail and are redelivered, because no message is handled without its fingerprint. Reason: %s. The inbox retries with every delivery and every few seconds. Give the PayloadCipher the key with which the row with id 2 was encrypted. If that key is lost, delete that row: fingerprints then get a new key, and a duplicate of an earlier message is quarantined rather than skipped."
            .formatted(problem));
  }

  public static void cipherRefused(String problem) {
    InboxLog.LOG.error(
        "IBX0165",
        "The inbox does not start, or handles no messages: deliveries fail and are redelivered. Reason: %s"
            .formatted(problem));
  }

  /** Many messages were kept aside, and not logged one by one; see {@link KeptLines}. */
  public static void keptHeldBack(String consumer, long messages, Duration during) {
    InboxLog.LOG.error(
        "IBX0181",
        "%s more messages for the consumer '%s' were quarantined or parked within %s than IBX0005 and IBX0009 have logged, which log the first ones of a minute. They are kept like those, until an operator redrives or discards them: find the sender."
            .formatted(messages, consumer, Durations.text(during)));
  }

  /** A consumer's quota is used up; written once a minute at most. */
  public static void full(
      String consumer, int messages, long bytes, String consequence, long times) {
    InboxLog.LOG.error(
        "IBX0182",
        "The messages kept aside for the consumer '%s' have reached postbox.inbox.quota (messages=%s, bytes=%s): %s (%s messages since this line was last written). Find the sender, redrive or discard kept messages, or raise the quota."
            .formatted(consumer, messages, bytes, consequence, times));
  }

  public static void pausedFull(String endpoint, String consumer) {
    InboxLog.LOG.error(
        "IBX0183",
        "The endpoint %s is paused because the messages kept aside for the consumer '%s' have reached postbox.inbox.quota: all its messages stay in their queue, valid ones included. It is resumed when a tenth of the quota is free: redrive or discard kept messages, raise the quota, or set postbox.inbox.quota.when-full=metadata, with which the bodies of further messages are lost."
            .formatted(endpoint, consumer));
  }

  public static void resumedWithRoom(String endpoint, String consumer) {
    InboxLog.LOG.warning(
        "IBX0184",
        "The endpoint %s is resumed: the quota of the consumer '%s' has room again."
            .formatted(endpoint, consumer));
  }

  public static void resolverFailed(String consumer, String resolver, Throwable cause) {
    InboxLog.LOG.warning(
        "IBX0086",
        "%s could not resolve the id of a message for the consumer '%s', so the id counts as malformed: %s"
            .formatted(resolver, consumer, InboxLog.reason(cause)));
  }
}
