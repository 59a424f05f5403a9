package io.postbox.common.ops;

import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.common.store.SwitchTable;
import java.util.UUID;

/**
 * Pauses and resumes, and audits that. Thread-safe.
 *
 * @param calls runs the statements
 * @param table what is paused
 * @param audit where the record goes
 * @param paused is written when something is paused
 * @param resumed is written when it is resumed
 */
public record SwitchControl(
    OperatorCalls calls, SwitchTable<?> table, AuditStore audit, Line paused, Line resumed) {

  /** The module's line about what an operator did. */
  public interface Line {
    /** Writes it. */
    void log(String name, String who, String why);
  }

  /** Pauses a name; false if it is paused already. The caller has checked name and reason. */
  public boolean pause(String name, String principal, String reason) {
    Entry entry = new Entry(UUID.randomUUID(), "pause", principal, reason, name);
    return change(
        "'%s' cannot be paused, nothing was changed",
        entry, connection -> table.pause(connection, name, entry.principal(), reason), paused);
  }

  /** Resumes a name; false if it is not paused. */
  public boolean resume(String name, String principal, String reason) {
    return change(
        "'%s' cannot be resumed, nothing was changed",
        new Entry(UUID.randomUUID(), "resume", principal, reason, name),
        connection -> table.resume(connection, name),
        resumed);
  }

  private boolean change(String problem, Entry entry, Work<Boolean> change, Line line) {
    boolean changed =
        calls.commit(
            problem.formatted(entry.subject()),
            connection -> {
              boolean done = change.on(connection);
              if (done) {
                audit.write(connection, entry, 0);
              }
              return done;
            });
    if (changed) {
      line.log(entry.subject(), entry.principal(), entry.reason());
    }
    return changed;
  }
}
