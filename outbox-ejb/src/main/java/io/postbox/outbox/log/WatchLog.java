package io.postbox.outbox.log;

import java.util.UUID;

/** The log lines of monitoring, {@code OBX0030} and on. Thread-safe. */
public final class WatchLog {
  private WatchLog() {}

  public static void waitsForAnotherNode(String destination, UUID id, String reason) {
    OutboxLog.LOG.warning(
        "OBX0082",
        "Messages to '%s', the first of them %s, wait for a node that can send them, because %s. No attempt is counted, and other messages go on. While nodes are upgraded one by one that is expected; otherwise deploy what is missing on this node."
            .formatted(destination, id, reason));
  }

  public static void backlogWarning(String problem) {
    OutboxLog.LOG.warning(
        "OBX0030",
        "The outbox's backlog is above a limit that warns; enqueue still takes messages. Check the"
            + " broker and the destinations: "
            + problem);
  }

  public static void backlogIsFineAgain() {
    OutboxLog.LOG.info("OBX0031", "The outbox's backlog is below the limits that warn again");
  }

  public static void backlogFull(String problem) {
    OutboxLog.LOG.error(
        "OBX0032",
        "The outbox's backlog is above a hard limit: enqueue refuses every message. Check the"
            + " broker and the destinations: "
            + problem);
  }

  public static void backlogTakesAgain() {
    OutboxLog.LOG.info(
        "OBX0033", "The outbox's backlog is below its hard limit again: enqueue takes messages");
  }

  public static void backlogUnknown() {
    OutboxLog.LOG.warning(
        "OBX0034",
        "The last count of the outbox is too old to refuse on: enqueue takes messages again. See"
            + " OBX0012 for why counting fails");
  }

  public static void countWorks() {
    OutboxLog.LOG.info("OBX0035", "The outbox's table was counted again: metrics are up to date");
  }

  /** There is a cipher, and rows that it did not encrypt; written once a minute at most. */
  public static void plainRows(long rows) {
    OutboxLog.LOG.warning(
        "OBX0062",
        "%s rows were sent that are not encrypted although there is a PayloadCipher (since this line was last written; a retry counts again). They were enqueued before the cipher was deployed, or another program wrote them. Once this line no longer appears, set postbox.encryption=required, and the relay sends no such row."
            .formatted(rows));
  }

  public static void slotMissing(String slot) {
    OutboxLog.LOG.error(
        "OBX0065",
        "PostgreSQL has no logical replication slot '%s' in the outbox's database, or the slot has lost its place in the log: every enqueue fails and its transaction rolls back, so nothing new is lost. Start the connector; if it had such a slot before, what it had not confirmed may be lost: see https://github.com/postbox/postbox/blob/main/docs/cdc.md"
            .formatted(slot));
  }

  public static void slotIsThereAgain(String slot) {
    OutboxLog.LOG.info(
        "OBX0066", "The replication slot '%s' is there: enqueue takes messages".formatted(slot));
  }

  public static void slotUnknown(String slot, String reason) {
    OutboxLog.LOG.warning(
        "OBX0067",
        "The replication slot '%s' cannot be read, so health and metrics show it as it was last seen; messages are not affected. Check the database. Reason: %s"
            .formatted(slot, reason));
  }

  public static void nodeNotReported(Throwable cause) {
    OutboxLog.LOG.warning(
        "OBX0068",
        "This node could not renew or delete its row in outbox_node, so operators see it as it last"
            + " was, and as not alive after a while; messages are not affected. It tries again"
            + " every few seconds. Check the database and the rights on that table. Reason: "
            + OutboxLog.reason(cause));
  }

  public static void nodeReportsAgain() {
    OutboxLog.LOG.info("OBX0069", "This node renews its row in outbox_node again");
  }
}
