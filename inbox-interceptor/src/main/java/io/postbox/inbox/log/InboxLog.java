package io.postbox.inbox.log;

import io.postbox.common.config.Durations;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.log.ModuleLog;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.Quarantined;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of log lines, with {@link WatchLog}. An id is never reused; a line never holds a
 * payload, and no control characters of anybody's making. Thread-safe.
 */
public final class InboxLog {
  /** How much the inbox says of exceptions, set once at start. */
  public static final ExceptionDetail EXCEPTIONS = new ExceptionDetail();

  static final ModuleLog LOG = new ModuleLog("io.postbox.inbox", EXCEPTIONS);

  private InboxLog() {}

  /** The inbox is ready. */
  public static void started(String settings) {
    LOG.info("IBX0001", "The inbox is ready: " + settings);
  }

  /** A key that means nothing was set, and the configuration says to go on. */
  public static void unknownKey(String problem) {
    LOG.warning("IBX0002", problem);
  }

  /** The tables could not be prepared because the database did not answer. */
  public static void databaseNotReady(Throwable cause) {
    LOG.warning(
        "IBX0003",
        "The database did not answer, so the inbox is not ready: deliveries fail and are redelivered."
            + " It is tried again with every delivery. Reason: "
            + reason(cause));
  }

  /** The tables are not ones that the inbox can work on. */
  public static void refused(String problem) {
    LOG.error("IBX0004", problem);
  }

  /** Something is missing in the tables, and cannot be made beside the transactions of others. */
  public static void tablesInUse(@Nullable String problem) {
    LOG.warning(
        "IBX0100",
        "The inbox's tables are not complete, so it is not ready: deliveries to this node fail and are redelivered. Reason: %s. Every try gives up after a moment, so that no other node's delivery waits behind it, and there is one every few seconds. End the long transactions of the database, or make what is missing yourself (CREATE INDEX CONCURRENTLY waits without making others wait)."
            .formatted(problem));
  }

  /** A delivery was kept aside. */
  public static void quarantined(Quarantined quarantined) {
    LOG.error(
        "IBX0005",
        "A delivery for the consumer '%s' was quarantined and not handled, because %s. Message id: %s; fingerprint: %s; handled before: %s. It is kept in inbox_quarantine until a person decides."
            .formatted(
                quarantined.delivery().consumer(),
                quarantined.reason().text(),
                quarantined.messageId() == null ? "none" : quarantined.messageId(),
                quarantined.delivery().fingerprint().sha256(),
                quarantined.stored() == null ? "none" : quarantined.stored().sha256()));
  }

  /** A delivery was kept aside, of which the body could not be kept. */
  public static void quarantinedWithoutBody(Quarantined quarantined) {
    LOG.error(
        "IBX0152",
        "A delivery for the consumer '%s' was quarantined without its body and not handled, because %s. Message id: %s; fingerprint, which is not that of the body: %s; handled before: %s. Its headers and properties are kept in inbox_quarantine until a person decides; its body is gone, so it cannot be redriven: have its sender send it anew."
            .formatted(
                quarantined.delivery().consumer(),
                quarantined.reason().text(),
                quarantined.messageId() == null ? "none" : quarantined.messageId(),
                quarantined.delivery().fingerprint().sha256(),
                quarantined.stored() == null ? "none" : quarantined.stored().sha256()));
  }

  /** A delivery whose body cannot be kept went to the dead queue. */
  public static void forwarded(Delivery delivery) {
    LOG.warning(
        "IBX0153",
        "A message for the consumer '%s', whose body cannot be kept, was forwarded unread to its dead queue (postbox.inbox.dead-queue). Message id: %s. The inbox keeps its headers and properties, and cannot redrive it: take it from that queue."
            .formatted(delivery.consumer(), delivery.knownId().orElse("none")));
  }

  /** Several classes have one consumer name, which may be meant or not. */
  public static void sharedConsumer(String consumer, Collection<String> classes) {
    LOG.warning(
        "IBX0006",
        "The consumer '%s' stands on %s, which share one memory: each message is handled by one of them and skipped by the others. That is right only if they all read one queue, or a topic and the retry destination beside it; otherwise give each a consumer name of its own."
            .formatted(consumer, String.join(" and ", classes)));
  }

  /** A metric did not take what was to be counted. */
  public static void listenerFailed(String consumer, String event, Throwable cause) {
    LOG.warning(
        "IBX0007",
        "A metric missed a delivery to the consumer '%s' (%s), which is not affected. Reason: %s"
            .formatted(consumer, event, reason(cause)));
  }

  /** A handler's transaction was rolled back; see {@link FailureLines}. */
  public static void failed(Failure failure) {
    LOG.warning("IBX0008", failure.isOfBody() ? ofBody(failure) : ofHandler(failure));
  }

  private static String ofBody(Failure failure) {
    return "A delivery to the consumer '%s' was rolled back before its handler began, because its body cannot be read, or cannot be copied to be kept aside (%s, which counts as %s). The message is redelivered, and that is tried again as often as postbox.inbox.max-transient-failures says; then its headers and properties are quarantined (IBX0152) or kept in inbox_parked, without the body, or it is forwarded to postbox.inbox.dead-queue. Reason: %s"
        .formatted(failure.consumer(), failure.messageId(), failure.kind(), failure.reason());
  }

  private static String ofHandler(Failure failure) {
    return "Attempt %d of the consumer '%s' at message %s was rolled back (%s), with all of its effects. %s Reason: %s"
        .formatted(
            failure.attempt(),
            failure.consumer(),
            failure.messageId(),
            failure.kind(),
            prospect(failure.kind()),
            failure.reason());
  }

  /** Which attempt is the last is decided, by what is on record, when the message is back. */
  private static String prospect(Failure.Kind kind) {
    return switch (kind) {
      case FAILED, TRANSIENT ->
          "The message is redelivered, and retried after its backoff; if this attempt was its last,"
              + " it is parked instead (IBX0009).";
      case REJECTED -> "The message is redelivered, and then parked (IBX0009) without another try.";
      case BYSTANDER -> "The message is redelivered and retried; this does not count against it.";
      case LATER ->
          "The message is redelivered and retried when its handler wants it; this does not count"
              + " against it.";
    };
  }

  /** Failures were not told one by one; see {@link FailureLines}. */
  public static void failuresHeldBack(
      long attempts, String kinds, Duration during, long ofUntoldCauses, Failure last) {
    LOG.warning(
        "IBX0122",
        "%d more attempts of the consumer '%s' were rolled back within %s (%s) than IBX0008 told of: it tells the first of a burst, and the first of each further cause. %d of them have causes that no line told. Their messages are redelivered, and retried or kept aside, as those in IBX0008. The last was %s (%s). Reason: %s"
            .formatted(
                attempts,
                last.consumer(),
                Durations.text(during),
                kinds,
                ofUntoldCauses,
                last.isOfBody()
                    ? "of a body (" + last.messageId() + ")"
                    : "attempt %d at message %s".formatted(last.attempt(), last.messageId()),
                last.kind(),
                last.reason()));
  }

  /** A message was kept aside, because its handler could not handle it. */
  public static void parked(Parked parked) {
    LOG.error(
        "IBX0009",
        "Message %s for the consumer '%s' was parked after %d failed attempts, because %s. Fingerprint: %s; last reason: %s. %s in inbox_parked until a person decides."
            .formatted(
                parked.messageId(),
                parked.delivery().consumer(),
                parked.attempts(),
                parked.reason().text(),
                parked.delivery().fingerprint().sha256(),
                parked.error(),
                parked.delivery().content().get().type() == BodyType.NOT_KEPT
                    ? "Its headers and properties are kept without its body, so that it cannot be redriven,"
                    : "It is kept"));
  }

  /** A message should be kept aside, and would have to be deserialised to be. */
  public static void cannotBeKept(Delivery delivery, Duration delay) {
    LOG.error(
        "IBX0010",
        "An object message for the consumer '%s' cannot be handled, and cannot be kept aside without being deserialised, so it is redelivered after %s. Message id: %s. Have it sent as text or bytes, take it from its queue with the broker's tools, or set postbox.inbox.dead-queue. One without a usable id is redelivered as often as max-attempts says; then its headers and properties are quarantined without its body."
            .formatted(
                delivery.consumer(), Durations.text(delay), delivery.knownId().orElse("none")));
  }

  /** Failures could not be recorded, so their messages get more attempts than they should. */
  public static void failuresNotRecorded(long lost, Throwable cause) {
    LOG.warning(
        "IBX0011",
        "%d failed attempts could not be recorded, and their messages get one more each. Reason: %s"
            .formatted(lost, reason(cause)));
  }

  /** Tries could not be put on record, or taken off it. */
  public static void attemptsNotRecorded(long attempts, Throwable cause) {
    LOG.warning(
        "IBX0120",
        "The beginning or end of %d redeliveries could not be recorded in inbox_attempt. They are handled all the same; one that kills the server now is not counted, and one that ended may be counted once until the record is taken off. Look at the database, and at the pool's size: a redelivery needs a second connection for a moment. Reason: %s"
            .formatted(attempts, reason(cause)));
  }

  /** Processes of the service have died, or look like it. */
  public static void uncleanShutdowns(Collection<String> nodes, Duration period) {
    LOG.info(
        "IBX0150",
        "Processes of this service ended without an orderly stop, or are frozen or cut off from the database: %s. For %s from now on this node puts every delivery on record in inbox_attempt before it is handled, because it may be a redelivery of which the broker does not say so: a message that kills the server is found by that, and parked. Nothing is lost; a delivery costs a few statements more meanwhile."
            .formatted(String.join(", ", nodes), Durations.text(period)));
  }

  /** This process is not among those whose end would be noticed. */
  public static void presenceNotRecorded(Throwable cause) {
    LOG.warning(
        "IBX0151",
        "This process could not renew or delete its row in inbox_process. Its deliveries are"
            + " handled all the same. Other nodes take it for one that died, and put their"
            + " deliveries on record for a while; as long as it has no row at all, so does it. It"
            + " is tried again every few seconds. Look at the database, and at the rights on that"
            + " table. Reason: "
            + reason(cause));
  }

  /** The pool had no connection to ask the database with. */
  public static void poolHasNone(Throwable cause) {
    LOG.warning(
        "IBX0121",
        "The pool of the inbox's data source had no connection to give, so nobody knows whether the"
            + " database answers. That is not taken for an outage: failures count, and deliveries"
            + " that get no connection are redelivered. Make the pool larger than listeners and"
            + " relay workers together, or look for who keeps connections. Reason: "
            + reason(cause));
  }

  /** An effect was made by two deliveries at once; the first memory counts. */
  public static void effectMadeTwice(String effect, String consumer, String messageId) {
    LOG.warning(
        "IBX0080",
        "The effect '%s' of message %s for the consumer '%s' was made by another delivery at the same time, which was remembered first; what that one returned counts. Whoever has the effect should recognise it by the idempotency key."
            .formatted(effect, messageId, consumer));
  }

  /** Retention could not work. */
  public static void housekeepingFailed(Throwable cause) {
    LOG.warning(
        "IBX0050",
        "What is past its retention was not deleted this time; it is tried again in a minute."
            + " Messages are not affected. Reason: "
            + reason(cause));
  }

  /** No node lived for a while. */
  public static void outage(Instant beganAt, Instant endedAt) {
    LOG.info(
        "IBX0051",
        "No node of this service is known to have lived from %s to %s. That time does not count for the retention: ids are remembered for as much longer."
            .formatted(beganAt, endedAt));
  }

  /** A consumer is deployed; once for each method that it guards, at start. */
  public static void consumer(String consumer, String method, String mode) {
    LOG.info(
        "IBX0060",
        "The consumer '%s' on %s handles each message %s.".formatted(consumer, method, mode));
  }

  /** A class has the annotation, and nobody makes a bean of it. */
  public static void noBean(String type) {
    LOG.warning(
        "IBX0110",
        "%s carries @Inbox and is no bean of this application, so no message reaches it, or none is guarded. Give it jakarta.ejb.MessageDriven or a CDI scope (of the packages jakarta.*, for javax.* means nothing here), and a constructor without parameters or with @Inject; and its archive a META-INF/beans.xml, if it has no other bean."
            .formatted(type));
  }

  /** The inbox is deployed, and has nothing to do. */
  public static void nothingGuarded() {
    LOG.warning(
        "IBX0111",
        "The inbox is deployed, and guards nothing: no bean of this application carries @Inbox, and"
            + " none has an InboxGuard injected. If one should, give its class"
            + " jakarta.ejb.MessageDriven or a CDI scope (of the packages jakarta.*, for javax.*"
            + " means nothing here), and its archive a META-INF/beans.xml (WEB-INF/beans.xml in a"
            + " WAR).");
  }

  /** Somebody wanted a plan carried out that is not good. */
  public static void planRefused(String who, String problem) {
    LOG.warning("IBX0170", "%s was refused: %s".formatted(who, problem));
  }

  /** A person had messages that were kept aside sent again. */
  public static void redriven(
      long sent, long refused, String subject, String principal, String reason) {
    String text =
        "%s redrove %d messages; %d could not be sent and stay (%s). Reason: %s"
            .formatted(principal, sent, refused, subject, reason);
    if (refused == 0) {
      LOG.info("IBX0070", text);
    } else {
      LOG.warning("IBX0070", text);
    }
  }

  /** A person gave messages up that were kept aside. */
  public static void discarded(long messages, String subject, String principal, String reason) {
    LOG.info(
        "IBX0071",
        "%d messages were discarded by %s (%s). Reason: %s"
            .formatted(messages, principal, subject, reason));
  }

  /** The database does not answer. */
  public static void outageBegan(Throwable cause) {
    LOG.error(
        "IBX0020",
        "The inbox's database does not answer or takes no writes: deliveries wait, their endpoints"
            + " are paused where the server can do that, and no failure counts against a handler."
            + " It is asked again every second, and all goes on by itself. Reason: "
            + reason(cause));
  }

  /** The database answers again. */
  public static void outageEnded(Duration length) {
    LOG.warning(
        "IBX0021",
        "The inbox's database answers again, after %d s. Deliveries go on."
            .formatted(length.toSeconds()));
  }

  /** The database does not answer, and no thread could be had to wait for it. */
  public static void outageNotWatched(Throwable cause) {
    LOG.error(
        "IBX0022",
        "The inbox's database does not answer, and there is no thread that could wait for it:"
            + " deliveries fail, and are redelivered, until it does. Reason: "
            + reason(cause));
  }

  /** Deliveries could not be stopped at their source. */
  public static void endpointsNotPaused(String which, Throwable cause) {
    LOG.warning(
        "IBX0023",
        "The endpoint %s could not be paused while the database does not answer: its deliveries wait and are redelivered until it does. Reason: %s"
            .formatted(which, reason(cause)));
  }

  /** What was paused for an outage is still paused after it. */
  public static void endpointNotResumed(String id, Throwable cause) {
    LOG.error(
        "IBX0024",
        "The endpoint %s, which was paused because the database did not answer, could not be resumed: its messages stay in their queue. It is tried again every second; otherwise resume it with the server's tools. Reason: %s"
            .formatted(id, reason(cause)));
  }

  /** The application stops while handlers run. */
  public static void stoppedWithout(int handlers, Duration grace) {
    LOG.warning(
        "IBX0025",
        "The application stops, and %d deliveries were not over after %s (postbox.inbox.stop-grace): they are rolled back, and their messages are redelivered."
            .formatted(handlers, Durations.text(grace)));
  }

  /** A setting with which the promise could be broken. */
  public static void finding(String service, String name, String text) {
    LOG.warning("IBX0030", "Guarantee check of %s, %s: %s".formatted(service, name, text));
  }

  /** Nobody knows whether the settings are right. */
  public static void guaranteeCheckFailed(Throwable cause) {
    LOG.warning(
        "IBX0031", "The guarantee check was not made, and is tried again: " + reason(cause));
  }

  /** A reply has no place to go to: the requester has gone. */
  public static void nobodyWaitsForReply(String consumer, Throwable cause) {
    LOG.warning(
        "IBX0061",
        "A message for the consumer '%s' was handled, and its reply was not sent, because JMSReplyTo leads nowhere (any more). The answer stays in inbox_result. Reason: %s"
            .formatted(consumer, reason(cause)));
  }

  /**
   * What a log line or a table says of an exception: its type and message, and its causes'; only
   * the types, if so configured ({@link #EXCEPTIONS}).
   */
  public static String reason(Throwable thrown) {
    return EXCEPTIONS.chain(thrown);
  }
}
