package io.postbox.inbox.log;

import io.postbox.common.config.Durations;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.log.ModuleLog;
import io.postbox.common.log.SharedLog;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.Quarantined;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * The catalogue of log lines, with {@link WatchLog} and {@link SharedLog}. An id is never reused; a
 * line never holds a payload or control characters. Thread-safe.
 */
public final class InboxLog {
  /** How much the inbox reveals of exceptions, set once at start. */
  public static final ExceptionDetail EXCEPTIONS = new ExceptionDetail();

  static final ModuleLog LOG = new ModuleLog("io.postbox.inbox", EXCEPTIONS);

  /** The lines that both modules have. */
  public static final SharedLog SHARED = new SharedLog("inbox", LOG, EXCEPTIONS);

  private InboxLog() {}

  public static void quarantined(Quarantined quarantined) {
    LOG.error(
        "IBX0005",
        "A delivery for the consumer '%s' was quarantined and not handled, because %s. Message id: %s; fingerprint: %s; handled before: %s. It is kept in inbox_stored until an operator redrives or discards it."
            .formatted(
                quarantined.delivery().consumer(),
                quarantined.reason().text(),
                quarantined.messageId() == null ? "none" : quarantined.messageId(),
                quarantined.delivery().fingerprint().sha256(),
                quarantined.stored() == null ? "none" : quarantined.stored().sha256()));
  }

  public static void quarantinedWithoutBody(Quarantined quarantined) {
    LOG.error(
        "IBX0152",
        "A delivery for the consumer '%s' was quarantined without its body and not handled, because %s. Message id: %s; fingerprint, which is not that of the body: %s; handled before: %s. Its headers and properties are kept in inbox_stored until an operator discards it; its body is lost, so it cannot be redriven: have its sender send it again."
            .formatted(
                quarantined.delivery().consumer(),
                quarantined.reason().text(),
                quarantined.messageId() == null ? "none" : quarantined.messageId(),
                quarantined.delivery().fingerprint().sha256(),
                quarantined.stored() == null ? "none" : quarantined.stored().sha256()));
  }

  public static void forwarded(Delivery delivery) {
    LOG.warning(
        "IBX0153",
        "A message for the consumer '%s', whose body cannot be stored, was forwarded unread to its dead queue (postbox.inbox.dead-queue). Message id: %s. The inbox keeps its headers and properties, and cannot redrive it: take it from that queue."
            .formatted(delivery.consumer(), delivery.knownId().orElse("none")));
  }

  public static void sharedConsumer(String consumer, Collection<String> classes) {
    LOG.warning(
        "IBX0006",
        "The consumer name '%s' is used by %s, which share one idempotency record: each message is handled by one of them and skipped by the others. That is right only if they all read one queue, or a topic and its retry destination; otherwise give each a consumer name of its own."
            .formatted(consumer, String.join(" and ", classes)));
  }

  public static void listenerFailed(String consumer, String event, Throwable cause) {
    LOG.warning(
        "IBX0007",
        "A metric missed a delivery to the consumer '%s' (%s); the delivery itself is not affected. Reason: %s"
            .formatted(consumer, event, reason(cause)));
  }

  /** A handler's transaction was rolled back; see {@link FailureLines}. */
  public static void failed(Failure failure) {
    LOG.warning("IBX0008", failure.isOfBody() ? ofBody(failure) : ofHandler(failure));
  }

  private static String ofBody(Failure failure) {
    return "A delivery to the consumer '%s' was rolled back before its handler began, because its body cannot be read, or cannot be copied to be kept aside (%s, which counts as %s). The message is redelivered and retried up to postbox.inbox.max-transient-failures times; then its headers and properties are quarantined (IBX0152) or parked, without the body, or it is forwarded to postbox.inbox.dead-queue. Reason: %s"
        .formatted(failure.consumer(), failure.messageId(), failure.kind(), failure.reason());
  }

  private static String ofHandler(Failure failure) {
    return "Attempt %s of the consumer '%s' at message %s was rolled back (%s), with all of its effects. %s Reason: %s"
        .formatted(
            failure.attempt(),
            failure.consumer(),
            failure.messageId(),
            failure.kind(),
            prospect(failure.kind()),
            failure.reason());
  }

  /** The next delivery decides, from the recorded failures, whether this attempt was the last. */
  private static String prospect(Failure.Kind kind) {
    return switch (kind) {
      case FAILED, TRANSIENT ->
          "The message is redelivered, and retried after its backoff; if this attempt was its last,"
              + " it is parked instead (IBX0009).";
      case REJECTED ->
          "The message is redelivered, and then parked (IBX0009) without another attempt.";
      case BYSTANDER -> "The message is redelivered and retried; this attempt is not charged.";
      case LATER ->
          "The message is redelivered and retried after the delay that its handler asked for; this"
              + " attempt is not charged.";
    };
  }

  /** Failures were not logged one by one; see {@link FailureLines}. */
  public static void failuresHeldBack(
      long attempts, String kinds, Duration during, long ofUntoldCauses, Failure last) {
    LOG.warning(
        "IBX0122",
        "%s more attempts of the consumer '%s' were rolled back within %s (%s) than IBX0008 has logged: it logs the first ones of a burst, and the first of each further cause. %s of them have causes that were not logged. Their messages are redelivered, and retried or kept aside, like those in IBX0008. The last was %s (%s). Reason: %s"
            .formatted(
                attempts,
                last.consumer(),
                Durations.text(during),
                kinds,
                ofUntoldCauses,
                last.isOfBody()
                    ? "of a body (" + last.messageId() + ")"
                    : "attempt %s at message %s".formatted(last.attempt(), last.messageId()),
                last.kind(),
                last.reason()));
  }

  public static void parked(Parked parked) {
    LOG.error(
        "IBX0009",
        "Message %s for the consumer '%s' was parked after %s failed attempts, because %s. Fingerprint: %s; last reason: %s. %s in inbox_stored until an operator redrives or discards it."
            .formatted(
                parked.messageId(),
                parked.delivery().consumer(),
                parked.attempts(),
                parked.reason().text(),
                parked.delivery().fingerprint().sha256(),
                parked.error(),
                parked.delivery().stored() == null
                        && parked.delivery().content().get().type() == BodyType.NOT_KEPT
                    ? "Its headers and properties are kept without its body, so that it cannot be"
                        + " redriven,"
                    : "It is kept"));
  }

  public static void cannotBeKept(Delivery delivery, Duration delay) {
    LOG.error(
        "IBX0010",
        "An object message for the consumer '%s' cannot be handled, and cannot be kept aside without being deserialised, so it is redelivered after %s. Message id: %s. Have it sent as text or bytes, take it from its queue with the broker's tools, or set postbox.inbox.dead-queue. One without a usable id is redelivered as often as max-attempts says; then its headers and properties are quarantined without its body."
            .formatted(
                delivery.consumer(), Durations.text(delay), delivery.knownId().orElse("none")));
  }

  public static void failuresNotRecorded(long lost, Throwable cause) {
    LOG.warning(
        "IBX0011",
        "%s failed attempts could not be recorded, so their messages get one additional attempt each. If it persists, check the database. Reason: %s"
            .formatted(lost, reason(cause)));
  }

  public static void attemptsNotRecorded(long attempts, Throwable cause) {
    LOG.warning(
        "IBX0120",
        "The beginning or end of %s redeliveries could not be recorded in inbox_attempt. They are handled anyway; one that kills the server now is not counted, and one that ended may be counted once until its record is deleted. Check the database and the pool's size: a redelivery needs a second connection for a moment. Reason: %s"
            .formatted(attempts, reason(cause)));
  }

  public static void uncleanShutdowns(Collection<String> nodes, Duration period) {
    LOG.info(
        "IBX0150",
        "Processes of this service ended without an orderly stop soon after each other, or are frozen or cut off from the database: %s. A message may have ended them. For the next %s this node records every delivery in inbox_attempt before it is handled, because it may be a redelivery that the broker does not mark as one: this finds and parks a message that kills the server. No message is lost; meanwhile each delivery runs a few more statements. IBX0242 says when that ends."
            .formatted(String.join(", ", nodes), Durations.text(period)));
  }

  public static void uncleanShutdownsAreOver() {
    LOG.info(
        "IBX0242",
        "This node no longer records every delivery in inbox_attempt: nothing has ended a process"
            + " for a while. Redeliveries are recorded as always.");
  }

  /** This process's heartbeat could not be written. */
  public static void presenceNotRecorded(Throwable cause) {
    LOG.warning(
        "IBX0151",
        "This process could not renew or delete its row in inbox_node. Its deliveries are handled"
            + " anyway. Other nodes may assume that it died, and record their deliveries for a"
            + " while; as long as it has no row at all, it does the same. It retries every few"
            + " seconds. Check the database and the rights on that table. Reason: "
            + reason(cause));
  }

  public static void poolHasNone(Throwable cause) {
    LOG.warning(
        "IBX0121",
        "The pool of the inbox's data source is exhausted, so the inbox cannot tell whether the"
            + " database is available. This does not count as an outage: failures are charged, and"
            + " deliveries that get no connection are redelivered. Make the pool larger than"
            + " listeners and relay workers together, or find the code that keeps connections."
            + " Reason: "
            + reason(cause));
  }

  /** Two deliveries made an effect at once; the first recorded result counts. */
  public static void effectMadeTwice(String effect, String consumer, String messageId) {
    LOG.warning(
        "IBX0080",
        "The effect '%s' of message %s for the consumer '%s' was made by another delivery at the same time, whose result was recorded first and counts. The called system should recognise the repeat by the idempotency key."
            .formatted(effect, messageId, consumer));
  }

  public static void housekeepingFailed(Throwable cause) {
    LOG.warning(
        "IBX0050",
        "Housekeeping failed, so rows past their retention stay; it runs again in a minute."
            + " Messages are not affected. If it keeps failing, check the database. Reason: "
            + reason(cause));
  }

  public static void outage(Instant beganAt, Instant endedAt) {
    LOG.info(
        "IBX0051",
        "No node of this service ran from %s to %s, as far as its heartbeat shows. That time does not count for the retention: ids are kept for that much longer."
            .formatted(beganAt, endedAt));
  }

  /** A consumer is deployed; one line for each guarded method, at start. */
  public static void consumer(String consumer, String method, String mode, boolean captures) {
    LOG.info(
        "IBX0060",
        captures
            ? "The consumer '%s' on %s stores each message %s, and handles it later in one of the inbox's own (IBX0190)."
                .formatted(consumer, method, mode)
            : "The consumer '%s' on %s handles each message %s.".formatted(consumer, method, mode));
  }

  public static void noBean(String type) {
    LOG.warning(
        "IBX0110",
        "%s has @Inbox and is not a bean of this application, so it receives no messages, or handles them without the inbox. Give it jakarta.ejb.MessageDriven or a CDI scope (from the packages jakarta.*; javax.* has no effect here), and a constructor without parameters or with @Inject; give its archive a META-INF/beans.xml if it has no other bean."
            .formatted(type));
  }

  public static void nothingGuarded() {
    LOG.warning(
        "IBX0111",
        "The inbox is deployed and not used: no bean of this application has @Inbox, and none has"
            + " an InboxGuard injected. If one should, give its class jakarta.ejb.MessageDriven or"
            + " a CDI scope (from the packages jakarta.*; javax.* has no effect here), and its"
            + " archive a META-INF/beans.xml (WEB-INF/beans.xml in a WAR).");
  }

  public static void planRefused(String who, String problem) {
    LOG.warning("IBX0170", "%s was refused: %s".formatted(who, problem));
  }

  public static void redriven(
      long sent, long refused, String subject, String principal, String reason) {
    String text =
        "%s redrove %s messages; %s could not be sent and stay (%s). Reason: %s"
            .formatted(principal, sent, refused, subject, reason);
    if (refused == 0) {
      LOG.info("IBX0070", text);
    } else {
      LOG.warning("IBX0070", text);
    }
  }

  public static void discarded(long messages, String subject, String principal, String reason) {
    LOG.info(
        "IBX0071",
        "%s discarded %s messages (%s). Reason: %s"
            .formatted(principal, messages, subject, reason));
  }

  public static void held(long messages, String subject, String principal, String reason) {
    LOG.info(
        "IBX0077",
        "%s holds %s messages, which are parked and not retried by themselves any more (%s). Reason: %s"
            .formatted(principal, messages, subject, reason));
  }

  public static void edited(String which, String who, String why) {
    LOG.info(
        "IBX0076",
        "%s edited the %s, which stays parked under its id: %s".formatted(who, which, why));
  }

  public static void outageBegan(Throwable cause) {
    LOG.error(
        "IBX0020",
        "The inbox's database is unavailable or takes no writes: deliveries wait, their endpoints"
            + " are paused if the server supports that, and no attempts are charged. The inbox"
            + " probes it every second and resumes by itself; check the database. Reason: "
            + reason(cause));
  }

  public static void outageEnded(Duration length) {
    LOG.warning(
        "IBX0021",
        "The inbox's database is available again, after %s s. Deliveries continue."
            .formatted(length.toSeconds()));
  }

  public static void outageNotWatched(Throwable cause) {
    LOG.error(
        "IBX0022",
        "The inbox's database is unavailable, and no thread could be started to probe it:"
            + " deliveries fail and are redelivered until it is available. If this persists, the"
            + " process is out of threads or memory. Reason: "
            + reason(cause));
  }

  public static void endpointsNotPaused(String which, Throwable cause) {
    LOG.warning(
        "IBX0023",
        "The endpoint %s could not be paused while the database is unavailable: its deliveries wait and are redelivered until it is available. Reason: %s"
            .formatted(which, reason(cause)));
  }

  public static void endpointNotResumed(String id, Throwable cause) {
    LOG.error(
        "IBX0024",
        "The endpoint %s, which was paused because the database was unavailable, could not be resumed: its messages stay in their queue. The inbox retries every second; otherwise resume it with the server's tools. Reason: %s"
            .formatted(id, reason(cause)));
  }

  public static void stoppedWithout(int handlers, Duration grace) {
    LOG.warning(
        "IBX0025",
        "The application stops, and %s deliveries had not ended after %s (postbox.inbox.stop-grace): they are rolled back, and their messages are redelivered."
            .formatted(handlers, Durations.text(grace)));
  }

  public static void nobodyWaitsForReply(String consumer, Throwable cause) {
    LOG.warning(
        "IBX0061",
        "A message for the consumer '%s' was handled, and its reply was not sent, because the destination in JMSReplyTo does not exist (any more). The reply stays in inbox_result. Reason: %s"
            .formatted(consumer, reason(cause)));
  }

  public static void goesBackWithoutReply(String consumer, Throwable cause) {
    LOG.warning(
        "IBX0078",
        "A message for the consumer '%s' is retried and will be answered to nobody, because the destination in its JMSReplyTo does not exist (any more). Its handler is called as ever. Reason: %s"
            .formatted(consumer, reason(cause)));
  }

  /**
   * An exception for a log line or a column: type and message of its innermost cause and of what
   * wraps it; only the types, if so configured ({@link #EXCEPTIONS}).
   */
  public static String reason(Throwable thrown) {
    return EXCEPTIONS.chain(thrown);
  }

  /** The exception for whoever asked for what the database failed to do. */
  public static InboxException failure(String problem, Throwable cause) {
    return new InboxException(problem + ": " + EXCEPTIONS.of(cause), cause);
  }
}
