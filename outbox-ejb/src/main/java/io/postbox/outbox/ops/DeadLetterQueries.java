package io.postbox.outbox.ops;

import io.postbox.common.Page;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.DeadLetterViews;
import io.postbox.outbox.store.DeadLetterViews.Counted;
import io.postbox.outbox.store.StoredErrors;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads dead letters, each query in a transaction of its own. Thread-safe. */
public final class DeadLetterQueries {
  private static final String PROBLEM = "Dead letters cannot be read";

  private final OperatorCalls calls;
  private final DeadLetterViews letters;

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param errors decrypts the recorded errors
   */
  public DeadLetterQueries(OutboxConfig config, DataSource dataSource, StoredErrors errors) {
    calls = new OperatorCalls(new LocalTransactions(dataSource), OutboxLog::failure);
    letters = new DeadLetterViews(config.tables(), errors);
  }

  /**
   * One page, in one query.
   *
   * @throws IllegalArgumentException if the filter searches encrypted errors
   * @throws OutboxException if the table cannot be read
   */
  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    return calls.ask(
        PROBLEM, connection -> letters.page(connection, filter, page.after(), page.size()));
  }

  /**
   * One letter.
   *
   * @throws OutboxException if the table cannot be read
   */
  public Optional<DeadLetter> get(UUID id) {
    return calls.ask(PROBLEM, connection -> letters.one(connection, id));
  }

  /**
   * Counts the letters that match a filter, in two queries; the plan has no token yet.
   *
   * @throws IllegalArgumentException if the filter searches encrypted errors
   * @throws OutboxException if the table cannot be read
   */
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    Counted counted =
        calls.commit(
            PROBLEM,
            LocalTransactions.brief(
                connection -> letters.count(connection, filter), BackgroundActions.LONGEST_COUNT));
    return new DeadLetterPlan(
        PlanToken.NONE,
        filter,
        counted.asOf(),
        DeadLetterPlan.DEFAULT_RATE,
        counted.destinations());
  }
}
