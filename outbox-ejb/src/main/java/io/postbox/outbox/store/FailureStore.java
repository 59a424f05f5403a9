package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes the histories of failing messages: of each the first failure and the last ten.
 * Thread-safe.
 */
final class FailureStore {
  /** How many failures of a message are kept besides the first. */
  static final int LATEST = 10;

  private final String node;
  private final String add;

  /**
   * @param node this node's name
   */
  FailureStore(Dialect dialect, TableNames tables, String node) {
    this.node = node;
    add = new OutboxDialect(dialect).addFailure(tables.qualified("outbox_failure"), LATEST);
  }

  /**
   * Adds failures to the histories of their messages, in one batch.
   *
   * @param texts what is stored of each error
   */
  void add(Connection connection, List<Failure> failures, Map<RecordedError, String> texts)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(add)) {
      for (Failure failure : failures) {
        UUID id = failure.message().envelope().id();
        RecordedError error = failure.error();
        statement.setObject(1, id);
        statement.setString(2, failure.message().destination());
        statement.setInt(3, failure.attempts());
        statement.setBoolean(4, failure.dead());
        statement.setString(5, node);
        statement.setString(6, error.errorClass());
        statement.setString(7, error.frame());
        statement.setString(8, Objects.requireNonNull(texts.get(error)));
        statement.setString(9, error.signature());
        Envelope about = failure.message().envelope();
        statement.setString(10, about.aggregateType());
        statement.setString(11, about.aggregateId());
        statement.setString(12, about.dataSubject());
        statement.setObject(13, id);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
