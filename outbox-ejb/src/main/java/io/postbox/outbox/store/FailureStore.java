package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.RecordedFailures;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the histories of failing messages: of each the first failure and the last ten.
 * Thread-safe.
 */
final class FailureStore {
  private final String node;
  private final String add;

  /**
   * @param node this node's name
   */
  FailureStore(Dialect dialect, TableNames tables, String node) {
    this.node = node;
    add =
        new OutboxDialect(dialect)
            .addFailure(tables.qualified("outbox_failure"), RecordedFailures.LATEST);
  }

  /**
   * Adds failures to the histories of their messages, in one batch.
   *
   * @param texts what is stored of each error
   */
  void add(Connection connection, List<Failure> failures, Map<RecordedError, String> texts)
      throws SQLException {
    Sql.batch(connection, add, failures, failure -> values(failure, texts));
  }

  private @Nullable Object[] values(Failure failure, Map<RecordedError, String> texts) {
    Envelope about = failure.message().envelope();
    RecordedError error = failure.error();
    return new @Nullable Object[] {
      about.id(),
      failure.message().destination(),
      failure.attempts(),
      failure.dead(),
      node,
      error.errorClass(),
      error.frame(),
      Objects.requireNonNull(texts.get(error)),
      error.signature(),
      about.aggregateType(),
      about.aggregateId(),
      about.dataSubject(),
      about.id()
    };
  }
}
