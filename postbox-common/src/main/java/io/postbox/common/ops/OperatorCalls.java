package io.postbox.common.ops;

import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import java.sql.SQLException;
import java.util.function.BiFunction;

/**
 * Runs what operators ask and change, each in a transaction of its own. Thread-safe.
 *
 * @param transactions on connections that are not part of a transaction
 * @param failure the module's exception, from what happened and the cause
 */
public record OperatorCalls(
    LocalTransactions transactions, BiFunction<String, SQLException, RuntimeException> failure) {

  /** Changes something; the problem says what is not so if the database fails. */
  public <T> T commit(String problem, Work<T> work) {
    try {
      return transactions.commit(work);
    } catch (SQLException failed) {
      throw failure.apply(problem, failed);
    }
  }

  /**
   * Changes something, and audits it.
   *
   * @param change returns false if there was nothing to change; then nothing is audited
   */
  public boolean change(String problem, AuditStore audit, Entry entry, Work<Boolean> change) {
    return commit(
        problem,
        connection -> {
          boolean changed = change.on(connection);
          if (changed) {
            audit.write(connection, entry, 0);
          }
          return changed;
        });
  }

  /** Reads something, within the time that a question may take. */
  public <T> T ask(String problem, Work<T> question) {
    return commit(problem, LocalTransactions.brief(question));
  }
}
