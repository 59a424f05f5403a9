package io.postbox.inbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.ExceptionTexts;
import java.sql.SQLException;

/**
 * Begins to carry a plan out, which can be done once: the row in {@code postbox_audit} has the id
 * of the plan, and is committed before anything is changed. Thread-safe.
 *
 * @param transactions of our own
 * @param audit where the row goes
 * @param plans of the service
 */
record PlanStart(OwnTransactions transactions, AuditStore audit, Plans plans) {

  /**
   * Puts the plan on record, with no message changed yet.
   *
   * @param token of the plan, checked
   * @param entry with the plan's id
   * @throws PlanRefusedException if it is on record already
   * @throws InboxException if the database failed
   */
  void begin(PlanToken token, Entry entry) {
    try {
      transactions.commit(
          connection -> {
            audit.write(connection, entry, 0);
            return true;
          });
    } catch (SQLException failed) {
      if (AuditStore.isOnRecord(failed)) {
        throw plans.used(token);
      }
      throw new InboxException(
          "The %s was not begun, nothing was changed: %s"
              .formatted(entry.action(), ExceptionTexts.of(failed)),
          failed);
    }
  }
}
