package io.postbox.outbox.ops;

import io.postbox.common.Page;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.DeadLetterViews;
import io.postbox.outbox.store.StoredErrors;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Reads dead letters, each query in a transaction of its own. {@link DeadLetters} says what the
 * methods do. Thread-safe.
 */
public final class DeadLetterQueries {
  private static final String PROBLEM = "Dead letters cannot be read";

  private final OperatorCalls calls;
  private final DeadLetterViews letters;

  public DeadLetterQueries(OutboxConfig config, DataSource dataSource, StoredErrors errors) {
    calls = new OperatorCalls(new LocalTransactions(dataSource), OutboxLog::failure);
    letters = new DeadLetterViews(config.tables(), errors);
  }

  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    return calls.ask(
        PROBLEM, connection -> letters.page(connection, filter, page.after(), page.size()));
  }

  public Optional<DeadLetter> get(UUID id) {
    return calls.ask(PROBLEM, connection -> letters.one(connection, id));
  }

  /** The plan has no token yet. */
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    return calls.commit(
        PROBLEM,
        LocalTransactions.brief(
            connection -> letters.count(connection, filter), BackgroundActions.LONGEST_COUNT));
  }
}
