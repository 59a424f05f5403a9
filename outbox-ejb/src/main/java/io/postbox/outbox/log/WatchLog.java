package io.postbox.outbox.log;

import java.lang.System.Logger.Level;

/** The log lines about what is watched rather than done, {@code OBX0030} and on. Thread-safe. */
public final class WatchLog {
  private WatchLog() {}

  /** More waits than the operator wants to hear nothing of. */
  public static void backlogWarning(String problem) {
    OutboxLog.log(Level.WARNING, "OBX0030", "The outbox grows: " + problem, null);
  }

  /** What waits has fallen below the limits that warn. */
  public static void backlogIsFineAgain() {
    OutboxLog.log(Level.INFO, "OBX0031", "The outbox is below the limits that warn again", null);
  }

  /** So much waits that enqueue refuses. */
  public static void backlogFull(String problem) {
    OutboxLog.log(Level.ERROR, "OBX0032", "Enqueue refuses every message: " + problem, null);
  }

  /** What waits has fallen below the limits that stop enqueue. */
  public static void backlogTakesAgain() {
    OutboxLog.log(Level.INFO, "OBX0033", "Enqueue takes messages again", null);
  }

  /** Enqueue refused, and nobody can say whether it still should. */
  public static void backlogUnknown() {
    OutboxLog.log(
        Level.WARNING,
        "OBX0034",
        "Enqueue takes messages again because the last count of the table is too old to refuse on",
        null);
  }

  /** The gauges are fresh again. */
  public static void countWorks() {
    OutboxLog.log(Level.INFO, "OBX0035", "The outbox's table can be counted again", null);
  }

  /** Observers are slower than the relay. */
  public static void eventsAreDropped(int waiting) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0036",
        "%d events wait for observers that are too slow; further ones are dropped. The messages themselves are not concerned"
            .formatted(waiting),
        null);
  }

  /** Observers have caught up. */
  public static void eventsAreTakenAgain(long dropped) {
    OutboxLog.log(
        Level.INFO,
        "OBX0037",
        "Observers have caught up; %d events were dropped".formatted(dropped),
        null);
  }

  /** An observer threw something; told once a minute at most. */
  public static void observerFailed(long failures, Throwable cause) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0038",
        "An observer of the outbox's events has failed, %d times since this was last told: %s"
            .formatted(failures, OutboxLog.reason(cause)),
        cause);
  }

  /** The application encrypts, and not here. */
  public static void onlyTheInboxEncrypts(String bean) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0061",
        "The outbox stores payloads in the clear, although the inbox encrypts: %s implements io.postbox.inbox.PayloadCipher, and no bean implements io.postbox.outbox.PayloadCipher. If the outbox's payloads are to be encrypted too, let that class implement both interfaces, and set postbox.encryption=required, which refuses to start without."
            .formatted(bean),
        null);
  }

  /** There is a cipher, and rows that it has not seen; told once a minute at most. */
  public static void plainRows(long rows) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0062",
        "%d rows were read to be sent that are not encrypted, although there is a PayloadCipher (since this was last told; a retry counts again). They are sent. They were enqueued before there was one, or somebody else has written them. When this is told no more, set postbox.encryption=required, and no such row is sent."
            .formatted(rows),
        null);
  }

  /** Readiness is down; told once in a row. */
  public static void notReady(String reason) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0063",
        "This node is not ready, because the outbox's database does not work or takes no writes: enqueue fails, and the messages in the table wait. It is asked again whenever health is. Reason: "
            + reason,
        null);
  }

  /** Readiness is up again. */
  public static void readyAgain() {
    OutboxLog.log(
        Level.INFO, "OBX0064", "The outbox's database works again, so this node is ready", null);
  }

  /** A setting with which the promise could be broken. */
  public static void finding(String service, String name, String text) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0040",
        "Guarantee check of %s, %s: %s".formatted(service, name, text),
        null);
  }

  /** Nobody knows whether the settings are right. */
  public static void guaranteeCheckFailed(Throwable cause) {
    OutboxLog.log(
        Level.WARNING,
        "OBX0041",
        "The guarantee check was not made, and is tried again: " + OutboxLog.reason(cause),
        null);
  }
}
