package io.postbox.outbox.check;

import io.postbox.common.check.Finding;
import io.postbox.common.store.DatabaseFacts;
import java.util.ArrayList;
import java.util.List;

/** Derives findings where a change data capture connector sends. An unknown fact is none. */
public final class CdcRules {
  private CdcRules() {}

  /**
   * Applies all rules.
   *
   * @param database the database's settings
   * @param isAnyLeft whether messages wait in the table for a relay
   */
  public static List<Finding> findings(DatabaseFacts database, boolean isAnyLeft) {
    List<Finding> findings = new ArrayList<>();
    database
        .setting("wal_level")
        .filter(level -> !level.equals("logical"))
        .ifPresent(
            level ->
                findings.add(
                    new Finding(
                        "cdc-wal-level",
                        "postbox.outbox.relay.mode=cdc, and PostgreSQL has wal_level=%s: there can be no replication slot for a connector, so every enqueue fails. Set wal_level=logical and restart PostgreSQL."
                            .formatted(level))));
    long mebibytes = database.number("max_slot_wal_keep_size").orElse(-1L);
    if (mebibytes >= 0) {
      findings.add(
          new Finding(
              "cdc-wal-keep-size",
              "PostgreSQL has max_slot_wal_keep_size=%sMB: a connector that is further behind loses its slot, and the messages that it has not read. Set it to -1, and watch the disk by the metric postbox_outbox_slot_lag_bytes."
                  .formatted(mebibytes)));
    }
    long seconds = database.number("idle_replication_slot_timeout").orElse(0L);
    if (seconds > 0) {
      findings.add(
          new Finding(
              "cdc-idle-slot",
              "PostgreSQL has idle_replication_slot_timeout=%ss: a connector that is away for longer loses its slot, and the messages that it has not read. Set it to 0."
                  .formatted(seconds)));
    }
    if (isAnyLeft) {
      findings.add(
          new Finding(
              "cdc-rows-left",
              "Messages from the time when nodes relayed wait in the outbox, and with"
                  + " postbox.outbox.relay.mode=cdc nobody sends them. Set relay.mode=polling until"
                  + " the outbox is empty, then cdc again; or discard them."));
    }
    return List.copyOf(findings);
  }
}
