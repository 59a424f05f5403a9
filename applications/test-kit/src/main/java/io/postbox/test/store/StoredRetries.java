package io.postbox.test.store;

import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The inbox's messages that are stored until their retries are due.
 *
 * @param dataSource of the inbox
 * @param table their table
 */
public record StoredRetries(DataSource dataSource, String table) {

  /** When the first retry of a consumer is due that is due later than that. */
  public Optional<Instant> firstAfter(String consumer, Instant time) {
    String sql =
        "SELECT MIN(due_at) FROM %s WHERE consumer = ? AND status = 'DELAYED' AND due_at > ?"
            .formatted(table);
    try (Connection connection = dataSource.getConnection()) {
      return Sql.first(
              connection, sql, row -> row.getObject(1, OffsetDateTime.class), consumer, time)
          .map(OffsetDateTime::toInstant);
    } catch (SQLException failed) {
      throw new IllegalStateException("The inbox's stored retries cannot be read", failed);
    }
  }
}
