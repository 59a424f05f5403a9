package io.postbox.outbox.log;

import io.postbox.common.config.Durations;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.log.ModuleLog;
import io.postbox.common.log.SharedLog;
import io.postbox.outbox.OutboxException;
import java.time.Duration;
import java.util.UUID;

/**
 * The catalogue of log lines, with {@link WatchLog} and {@link SharedLog}. An id is never reused; a
 * line never holds a payload or control characters. Thread-safe.
 */
public final class OutboxLog {
  /** How much the outbox reveals of exceptions, set once at start. */
  public static final ExceptionDetail EXCEPTIONS = new ExceptionDetail();

  static final ModuleLog LOG = new ModuleLog("io.postbox.outbox", EXCEPTIONS);

  /** The lines that both modules have. */
  public static final SharedLog SHARED = new SharedLog("outbox", LOG, EXCEPTIONS);

  private OutboxLog() {}

  /** A destination is unavailable; its messages wait. */
  public static void destinationWaits(String destination, Duration wait, String reason) {
    LOG.warning(
        "OBX0004",
        "Destination '%s' is unavailable: circuit open, attempts are not charged, its messages stay in the outbox. The next probe is in %s; check the broker and the destination. Reason: %s"
            .formatted(destination, Durations.text(wait), reason));
  }

  public static void destinationWorks(String destination) {
    LOG.info(
        "OBX0005",
        "Destination '%s' is available again: circuit closed, its messages are being sent"
            .formatted(destination));
  }

  public static void attemptFailed(UUID id, String destination, int attempt, String reason) {
    LOG.debug(
        "OBX0006",
        "Attempt %s to send message %s to '%s' failed; the relay retries it after its backoff. Reason: %s"
            .formatted(attempt, id, destination, reason));
  }

  public static void duplicateRefused(UUID id, String destination) {
    LOG.info(
        "OBX0070",
        "The broker refused message %s to '%s' as a duplicate, so it counts as sent: an earlier attempt had arrived although its answer was lost"
            .formatted(id, destination));
  }

  public static void deadLetter(UUID id, String destination, int attempts, String reason) {
    LOG.error(
        "OBX0007",
        "Message %s to '%s' is a dead letter after %s attempts: it is kept and not retried. Redrive or discard it. Last reason: %s"
            .formatted(id, destination, attempts, reason));
  }

  /** A batch failed; its lane backs off. */
  public static void passFailed(int partition, Throwable cause) {
    LOG.error(
        "OBX0008",
        "Partition %s: a batch failed and was rolled back; those of its messages that the broker has may be sent again. The relay retries after a backoff; if it keeps failing, check the database. Reason: %s"
            .formatted(partition, reason(cause)),
        cause);
  }

  /** A poll failed; the next one follows. */
  public static void pollFailed(Throwable cause) {
    LOG.warning(
        "OBX0009",
        "The relay could not poll the outbox; messages wait until the next poll. If it keeps"
            + " failing, check the database. Reason: "
            + reason(cause));
  }

  public static void noWorker(Throwable cause) {
    LOG.error(
        "OBX0060",
        "The relay could not start a worker, so messages wait until the next poll. If this"
            + " persists, the process is out of threads or memory: find what uses them, or raise"
            + " its limit. Reason: "
            + reason(cause));
  }

  /** A wake-up after a commit was rejected; the next poll finds the messages. */
  public static void wakeUpRefused(Throwable cause) {
    LOG.debug(
        "OBX0010", "Wake-up rejected; the next poll finds the messages. Reason: " + reason(cause));
  }

  public static void countFailed(Throwable cause) {
    LOG.warning(
        "OBX0012",
        "The outbox's table could not be counted, so metrics and limits use the last count;"
            + " messages are not affected. Check the database. Reason: "
            + reason(cause));
  }

  public static void stoppedAtWork(Duration waited) {
    LOG.warning(
        "OBX0013",
        "The relay stopped after waiting %s for a batch that is still being sent; the relay may send it again after the next start"
            .formatted(Durations.text(waited)));
  }

  /** A listener failed; it may have missed an event. */
  public static void listenerFailed(Throwable cause) {
    LOG.warning(
        "OBX0014",
        "A listener of the relay failed, so metrics may miss an event; messages are not affected."
            + " Reason: "
            + reason(cause),
        cause);
  }

  public static void nothingWaits(String destination) {
    LOG.info(
        "OBX0015",
        "Destination '%s' has no messages left to probe with: circuit closed"
            .formatted(destination));
  }

  /**
   * A session holds a partition's lock and does not send its messages.
   *
   * @param holder the query that finds the session
   */
  public static void partitionStuck(int partition, String holder) {
    LOG.error(
        "OBX0016",
        "Partition %s is stuck: a database session holds its lock without sending its messages, which stay in the outbox. Find the holder with this query and end it: %s"
            .formatted(partition, holder));
  }

  /**
   * The relay has found out in what kind of transactions it can send, or that this has changed.
   *
   * @param transactions local JMS or JTA
   */
  public static void sendsIn(String transactions, String why) {
    LOG.info(
        "OBX0017",
        "The relay sends each batch in one %s transaction, all of it or nothing. A local JMS transaction costs one round trip to the broker, a JTA transaction three; the connection factory decides. Reason: %s"
            .formatted(transactions, why));
  }

  public static void notClosed(Throwable cause) {
    LOG.info(
        "OBX0018",
        "A connection to the broker could not be closed after it had committed a batch. The batch"
            + " is sent, and does not repeat for that; a broken connection is replaced with the"
            + " next batch. Reason: "
            + reason(cause));
  }

  /** A tracing system failed; messages are sent without it. */
  public static void tracingFailed(Throwable cause) {
    LOG.warning(
        "OBX0050",
        "Tracing failed, so a message was sent without a span of its own. Check the telemetry"
            + " feature. Reason: "
            + reason(cause));
  }

  public static void redriven(long letters, String which, String who, String why) {
    LOG.info("OBX0020", "%s redrove %s dead letters (%s): %s".formatted(who, letters, which, why));
  }

  public static void discarded(long letters, String which, String who, String why) {
    LOG.info(
        "OBX0021", "%s discarded %s dead letters (%s): %s".formatted(who, letters, which, why));
  }

  public static void planRefused(String who, String problem) {
    LOG.warning(
        "OBX0071", "The outbox refused a plan that %s submitted: %s".formatted(who, problem));
  }

  public static void waitingDiscarded(long messages, String which, String who, String why) {
    LOG.info(
        "OBX0090",
        "%s discarded %s waiting messages (%s): %s".formatted(who, messages, which, why));
  }

  public static void redirected(String destination, String target, String who, String why) {
    LOG.info(
        "OBX0072",
        "%s redirected messages for '%s' to '%s': %s".formatted(who, destination, target, why));
  }

  public static void redirectEnded(String destination, String who, String why) {
    LOG.info("OBX0073", "%s ended the redirect of '%s': %s".formatted(who, destination, why));
  }

  public static void resent(String which, String destination, String who, String why) {
    LOG.info(
        "OBX0078",
        "%s enqueued the archived %s to '%s' again: %s".formatted(who, which, destination, why));
  }

  public static void edited(UUID id, UUID newId, String who, String why) {
    LOG.info(
        "OBX0079",
        "%s edited the dead letter %s, which keeps its place and is %s from now on: %s"
            .formatted(who, id, newId, why));
  }

  public static void paused(String destination, String who, String why) {
    LOG.info(
        "OBX0022",
        "%s paused '%s', its messages stay in the outbox: %s".formatted(who, destination, why));
  }

  public static void resumed(String destination, String who, String why) {
    LOG.info("OBX0023", "%s resumed '%s': %s".formatted(who, destination, why));
  }

  public static void retriesHastened(int messages) {
    LOG.warning(
        "OBX0110",
        "%s retries would have waited for longer than the longest backoff, and wait for that at most now: the database's clock was set back since, or a backoff was lowered, in a destination's policy or on this node and not yet on the others. No message is lost. If no backoff was lowered, check the clock of the database's machine."
            .formatted(messages));
  }

  /**
   * A part of the housekeeping was not done.
   *
   * @param so what that means, for instance which rows stay
   */
  public static void housekeepingFailed(String so, Throwable cause) {
    LOG.warning(
        "OBX0024",
        "Housekeeping failed, so %s; it runs again in a minute. If it keeps failing, check the database. Reason: "
                .formatted(so)
            + reason(cause));
  }

  /**
   * An exception for a log line or a column: its type and message, and those of its causes; only
   * the types, if so configured ({@link #EXCEPTIONS}).
   */
  public static String reason(Throwable thrown) {
    return EXCEPTIONS.chain(thrown);
  }

  /** The exception for whoever asked for what the database failed to do. */
  public static OutboxException failure(String problem, Throwable cause) {
    return new OutboxException(problem + ": " + EXCEPTIONS.of(cause), cause);
  }
}
