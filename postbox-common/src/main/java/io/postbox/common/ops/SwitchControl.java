package io.postbox.common.ops;

import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.common.store.SwitchTable;
import java.util.Optional;

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
    OperatorCalls calls, SwitchTable table, AuditStore audit, Line paused, Line resumed) {

  /** The module's line about what an operator did. */
  public interface Line {
    /** Writes it. */
    void log(String name, String who, String why);
  }

  /**
   * Pauses a name; false if it is paused already.
   *
   * @param objection why nothing can have that name now, as a clause
   * @param hasMessages whether there are messages with it all the same; asked after an objection
   * @throws IllegalArgumentException if there are none, or the reason is refused
   */
  public boolean pause(
      String name,
      Optional<String> objection,
      Work<Boolean> hasMessages,
      String principal,
      String reason) {
    Entry entry = new Order("pause", principal, reason).entry(name);
    String problem = "'%s' cannot be paused".formatted(name);
    if (objection.isPresent() && !calls.commit(problem + ", nothing was changed", hasMessages)) {
      throw new IllegalArgumentException(
          "%s: %s. Nothing was changed.".formatted(problem, objection.get()));
    }
    return change(
        problem + ", nothing was changed",
        entry,
        connection -> table.pause(connection, name, entry.principal(), entry.reason()),
        paused);
  }

  /** Resumes a name; false if it is not paused. */
  public boolean resume(String name, String principal, String reason) {
    return change(
        "'%s' cannot be resumed, nothing was changed".formatted(name),
        new Order("resume", principal, reason).entry(name),
        connection -> table.resume(connection, name),
        resumed);
  }

  private boolean change(String problem, Entry entry, Work<Boolean> change, Line line) {
    boolean changed = calls.change(problem, audit, entry, change);
    if (changed) {
      line.log(entry.subject(), entry.principal(), entry.reason());
    }
    return changed;
  }
}
