package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.DistinctValues;
import io.postbox.common.store.DistinctValues.Source;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of the consumers that have rows. Thread-safe.
 *
 * @param names in tables that have an index by consumer
 */
record ConsumerNames(DistinctValues names) {
  /** How many names are read at most. */
  private static final int MOST = 1_000;

  /** Those with messages. */
  static ConsumerNames ofMessages(Dialect dialect, TableNames tables) {
    return in(dialect, tables, "inbox_message", "inbox_stored", "inbox_failure", "inbox_attempt");
  }

  /** Those with an order of versions. */
  static ConsumerNames ofAggregates(Dialect dialect, TableNames tables) {
    return in(dialect, tables, "inbox_aggregate", "inbox_discarded");
  }

  private static ConsumerNames in(Dialect dialect, TableNames tables, String... names) {
    return new ConsumerNames(
        new DistinctValues(
            dialect,
            "consumer",
            Stream.of(names).map(name -> new Source(tables.qualified(name), "TRUE")).toList()));
  }

  /** The names, in order. */
  List<String> read(Connection connection) throws SQLException {
    return names.page(connection, "", MOST);
  }
}
