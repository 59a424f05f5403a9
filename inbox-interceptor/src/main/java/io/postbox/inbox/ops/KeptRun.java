package io.postbox.inbox.ops;

import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One redrive or discard: processes the messages of a plan in short transactions, and records each
 * of these. Holds only a page of ids in memory. Not thread-safe.
 */
final class KeptRun {
  /** How many ids are read at once. */
  static final int PAGE = 10_000;

  private final LocalTransactions transactions;
  private final KeptRows rows;
  private final AuditStore audit;
  private final KeptPlan plan;
  private final Entry entry;
  private long done;

  KeptRun(
      LocalTransactions transactions, KeptRows rows, AuditStore audit, KeptPlan plan, Entry entry) {
    this.transactions = transactions;
    this.rows = rows;
    this.audit = audit;
    this.plan = plan;
    this.entry = entry;
  }

  /** The action on some messages. */
  interface Step {
    /** Runs the action, in any number of transactions. */
    void with(List<Long> ids) throws SQLException;
  }

  /** How many messages were changed. */
  long done() {
    return done;
  }

  /** Runs the work, which returns how many messages it changes, and commits. */
  void change(Work<Integer> work) throws SQLException {
    done += transactions.commit(work);
  }

  /** Audits a change, in its transaction. */
  void record(Connection connection, int changed) throws SQLException {
    audit.add(connection, entry, changed);
  }

  /**
   * Processes all messages, a limited number at a time.
   *
   * @throws InboxException if the database failed
   */
  void forEach(int batch, Step step) {
    try {
      long after = 0;
      List<Long> page;
      do {
        long from = after;
        page =
            transactions.commit(
                connection -> rows.candidates(connection, plan.filter(), from, plan.upTo(), PAGE));
        for (int i = 0; i < page.size(); i += batch) {
          step.with(page.subList(i, Math.min(i + batch, page.size())));
        }
        after = page.isEmpty() ? after : page.get(page.size() - 1);
      } while (page.size() == PAGE);
    } catch (SQLException failed) {
      throw brokeOff(InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }

  /** The exception for a run that cannot continue. */
  InboxException brokeOff(String reason, @Nullable Throwable cause) {
    return new InboxException(
        "The %s stopped after %s messages (%s). These are done and audited; the others are still %s: make another plan for them. Reason: %s"
            .formatted(
                entry.action(),
                done,
                entry.subject(),
                plan.kind() == Kind.PARKED ? "parked" : "quarantined",
                reason),
        cause);
  }
}
