package io.postbox.common.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import java.sql.SQLException;
import java.util.function.BiFunction;

/**
 * Begins to carry out a plan, which succeeds once: the row in {@code postbox_audit} has the plan's
 * id, and is committed before any message is changed. Thread-safe.
 *
 * @param transactions for the row
 * @param audit where the row goes
 * @param tokens of the service
 * @param failure the module's exception, from what happened and the cause
 */
public record PlanStart(
    LocalTransactions transactions,
    AuditStore audit,
    PlanTokens tokens,
    BiFunction<String, SQLException, RuntimeException> failure) {

  /**
   * Puts the plan on record; no message is changed yet.
   *
   * @param token of the plan, checked
   * @param entry with the plan's id
   * @throws PlanRefusedException if it is on record already
   */
  public void begin(PlanToken token, Entry entry) {
    begin(token, entry, connection -> true);
  }

  /**
   * Puts the plan on record, and does more in the same transaction.
   *
   * @param token of the plan, checked
   * @param entry with the plan's id
   * @param more the other writes of the transaction
   * @throws PlanRefusedException if it is on record already
   */
  public <T> T begin(PlanToken token, Entry entry, LocalTransactions.Work<T> more) {
    try {
      return transactions.commit(
          connection -> {
            audit.write(connection, entry, 0);
            return more.on(connection);
          });
    } catch (SQLException failed) {
      if (AuditStore.isOnRecord(failed)) {
        throw tokens.refused(token, Why.USED, token.madeBy());
      }
      throw failure.apply(
          "The %s was not begun, nothing was changed".formatted(entry.action()), failed);
    }
  }
}
