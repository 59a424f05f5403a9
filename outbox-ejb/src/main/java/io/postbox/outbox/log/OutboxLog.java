package io.postbox.outbox.log;

import io.postbox.common.config.Durations;
import io.postbox.common.text.Storable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of log lines, with {@link WatchLog}. An id is never reused; a line never holds a
 * payload, and no control characters of anybody's making. Thread-safe.
 */
public final class OutboxLog {
  private static final Logger LOGGER = System.getLogger("io.postbox.outbox");

  private OutboxLog() {}

  /** The outbox is ready. */
  public static void started(String settings) {
    log(Level.INFO, "OBX0001", "The outbox is ready: " + settings, null);
  }

  /** A key that means nothing was set, and the configuration says to go on. */
  public static void unknownKey(String problem) {
    log(Level.WARNING, "OBX0002", problem, null);
  }

  /** The tables could not be prepared because the database failed. */
  public static void databaseNotReady(Throwable cause) {
    log(
        Level.WARNING,
        "OBX0003",
        "The database does not work, so the outbox is not ready: enqueue fails and nothing is"
            + " relayed. It is tried again every few seconds. Reason: "
            + reason(cause),
        null);
  }

  /** A destination cannot be reached; its messages wait. */
  public static void destinationWaits(String destination, Duration wait, String reason) {
    log(
        Level.WARNING,
        "OBX0004",
        "Messages to '%s' wait, no attempt is counted; the next probe is in %s. Reason: %s"
            .formatted(destination, Durations.text(wait), reason),
        null);
  }

  /** A destination works again. */
  public static void destinationWorks(String destination) {
    log(Level.INFO, "OBX0005", "Messages to '%s' go again".formatted(destination), null);
  }

  /** An attempt on a message failed, and there will be another. */
  public static void attemptFailed(UUID id, String destination, int attempt, String reason) {
    log(
        Level.DEBUG,
        "OBX0006",
        "Attempt %d to send message %s to '%s' failed: %s"
            .formatted(attempt, id, destination, reason),
        null);
  }

  /** The broker says that it has a message, which is therefore completed and not sent. */
  public static void alreadyThere(UUID id, String destination) {
    log(
        Level.INFO,
        "OBX0070",
        "The broker refused message %s to '%s' because it has it already, so it counts as sent and is not sent again: an earlier attempt arrived although its answer did not, or the application enqueued this id twice"
            .formatted(id, destination),
        null);
  }

  /** A message used up its attempts. */
  public static void deadLetter(UUID id, String destination, int attempts, String reason) {
    log(
        Level.ERROR,
        "OBX0007",
        "Message %s to '%s' is a dead letter after %d attempts; it is kept until a person decides. Last reason: %s"
            .formatted(id, destination, attempts, reason),
        null);
  }

  /** Work on a partition broke down; it is left alone for a while. */
  public static void passFailed(int partition, Throwable cause) {
    log(
        Level.ERROR,
        "OBX0008",
        "Partition %d could not be worked on; what was sent of it may be sent again: %s"
            .formatted(partition, reason(cause)),
        cause);
  }

  /** The relay's timer could not look for work; it goes on with the next look. */
  public static void pollFailed(Throwable cause) {
    log(Level.WARNING, "OBX0009", "The relay could not look for work: " + reason(cause), null);
  }

  /** There is work, and nobody to do it. */
  public static void noWorker(Throwable cause) {
    log(
        Level.ERROR,
        "OBX0060",
        "The relay could not start a worker, so messages wait; it tries again with every look."
            + " If it stays, the process is out of threads or memory: see what uses them, or raise"
            + " its limit. Reason: "
            + reason(cause),
        null);
  }

  /** A wake-up after a commit was not taken; the timer finds the messages. */
  public static void wakeUpRefused(Throwable cause) {
    log(
        Level.DEBUG,
        "OBX0010",
        "The server took no wake-up, the timer will find the messages: " + reason(cause),
        null);
  }

  /** The tables are not usable although the deployment already stands. */
  public static void refused(String problem) {
    log(Level.ERROR, "OBX0011", problem, null);
  }

  /** Something is missing in the tables, and cannot be made beside the transactions of others. */
  public static void tablesInUse(@Nullable String problem) {
    log(
        Level.WARNING,
        "OBX0080",
        "The outbox's tables are not complete, so it is not ready: enqueue fails on this node and nothing is relayed by it. Reason: %s. Every try gives up after a moment, so that no other node's enqueue waits behind it, and there is one every few seconds. End the long transactions of the database, or make what is missing yourself (CREATE INDEX CONCURRENTLY waits without making others wait)."
            .formatted(problem),
        null);
  }

  /** The gauges keep their last values. */
  public static void countFailed(Throwable cause) {
    log(
        Level.WARNING,
        "OBX0012",
        "The outbox's table cannot be counted, so the metrics show the last count: "
            + reason(cause),
        null);
  }

  /** The relay was stopped while it had work in hand. */
  public static void stoppedAtWork(Duration waited) {
    log(
        Level.WARNING,
        "OBX0013",
        "The relay was stopped while sending, after %s of waiting; that batch may be sent again"
            .formatted(Durations.text(waited)),
        null);
  }

  /** A listener broke down; what it should have counted is not counted. */
  public static void listenerFailed(Throwable cause) {
    log(Level.WARNING, "OBX0014", "The metrics missed something: " + reason(cause), cause);
  }

  /** A destination was in trouble, and there is nothing left to send to it. */
  public static void nothingWaits(String destination) {
    log(Level.INFO, "OBX0015", "No message to '%s' waits any more".formatted(destination), null);
  }

  /**
   * Somebody holds a partition and does not work on it.
   *
   * @param holder the query that finds out who
   */
  public static void partitionStuck(int partition, String holder) {
    log(
        Level.ERROR,
        "OBX0016",
        "Partition %d has messages to be sent, and somebody holds its lock without sending any. The messages wait. This query finds the holder: %s"
            .formatted(partition, holder),
        null);
  }

  /** A tracing system broke down; messages go without it. */
  public static void tracingFailed(Throwable cause) {
    log(
        Level.WARNING,
        "OBX0050",
        "Tracing failed, so a message has no span of its own: " + reason(cause),
        null);
  }

  /** Dead letters were put back to work by hand. */
  public static void redriven(long letters, String which, String who, String why) {
    log(
        Level.INFO,
        "OBX0020",
        "%d dead letters were put back to work by %s (%s): %s".formatted(letters, who, which, why),
        null);
  }

  /** Dead letters were given up by hand. */
  public static void discarded(long letters, String which, String who, String why) {
    log(
        Level.INFO,
        "OBX0021",
        "%d dead letters were given up by %s (%s): %s".formatted(letters, who, which, why),
        null);
  }

  /** Somebody wanted a plan carried out that is not good. */
  public static void planRefused(String who, String problem) {
    log(Level.WARNING, "OBX0071", "%s was refused: %s".formatted(who, problem), null);
  }

  /** Messages that waited were given up by hand. */
  public static void waitingDiscarded(long messages, String which, String who, String why) {
    log(
        Level.INFO,
        "OBX0090",
        "%d messages were given up by %s before they were sent (%s): %s"
            .formatted(messages, who, which, why),
        null);
  }

  /** Messages go elsewhere from now on. */
  public static void redirected(String destination, String target, String who, String why) {
    log(
        Level.INFO,
        "OBX0072",
        "Messages to '%s' go to '%s' because %s said so: %s"
            .formatted(destination, target, who, why),
        null);
  }

  /** Messages go where they were enqueued for again. */
  public static void redirectEnded(String destination, String who, String why) {
    log(
        Level.INFO,
        "OBX0073",
        "Messages to '%s' are no longer redirected because %s said so: %s"
            .formatted(destination, who, why),
        null);
  }

  /** A switch was turned by hand. */
  public static void paused(String destination, String who, String why) {
    log(
        Level.INFO,
        "OBX0022",
        "Messages to '%s' wait because %s said so: %s".formatted(destination, who, why),
        null);
  }

  /** A switch was turned back by hand. */
  public static void resumed(String destination, String who, String why) {
    log(
        Level.INFO,
        "OBX0023",
        "Messages to '%s' go again because %s said so: %s".formatted(destination, who, why),
        null);
  }

  /** What is past its retention stays for now. */
  public static void housekeepingFailed(Throwable cause) {
    log(
        Level.WARNING,
        "OBX0024",
        "What is past its retention could not be deleted; it is tried again in a minute: "
            + reason(cause),
        null);
  }

  /**
   * What a log line or the table says of an exception: its type and message, and its cause's; only
   * the types, if so configured ({@link ExceptionTexts}).
   */
  public static String reason(Throwable thrown) {
    return ExceptionTexts.chain(thrown);
  }

  static void log(Level level, String id, String text, @Nullable Throwable thrown) {
    String line = id + " " + Storable.printable(text);
    Throwable stack = ExceptionTexts.toLog(thrown);
    if (stack == null) {
      LOGGER.log(level, line);
    } else {
      LOGGER.log(level, line, stack);
    }
  }
}
