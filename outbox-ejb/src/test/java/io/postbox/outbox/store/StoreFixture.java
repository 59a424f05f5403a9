package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.MessageStore.Placed;
import io.postbox.outbox.store.RelayStore.Failure;
import io.postbox.outbox.store.RelayStore.HeldKey;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database with the outbox's tables, under a schema and a prefix of their own. */
final class StoreFixture {
  static final int PARTITION = 3;
  private static final TestConfig CONFIG = TestConfig.DEFAULT.withTables("shop", "pb_");

  final DataSource dataSource;
  final MessageStore messages;
  final RelayStore relay;
  final Rows rows;

  StoreFixture(TestDatabase database) throws SQLException {
    TableNames tables = CONFIG.tables();
    dataSource = database.fresh();
    rows = new Rows(dataSource, tables);
    rows.execute("CREATE SCHEMA shop");
    try (Connection connection = dataSource.getConnection()) {
      new Schema(database.dialect(), CONFIG.config()).prepare(connection);
    }
    messages = new MessageStore(database.dialect(), tables);
    relay = new RelayStore(database.dialect(), tables);
  }

  Connection begin() throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Inserts and commits. */
  Envelope insert(String destination, @Nullable String key) throws SQLException {
    Envelope envelope = text(UUID.randomUUID(), destination, key, "x");
    try (Connection connection = begin()) {
      messages.insert(connection, new Placed(PARTITION, envelope));
      connection.commit();
    }
    return envelope;
  }

  /** Reads what is due in a transaction that is rolled back. */
  List<StoredMessage> due(String... except) throws SQLException {
    try (Connection connection = begin()) {
      List<StoredMessage> due = relay.readDue(connection, PARTITION, Set.of(except), 1_000);
      connection.rollback();
      return due;
    }
  }

  List<UUID> dueIds(String... except) throws SQLException {
    return due(except).stream().map(it -> it.envelope().id()).toList();
  }

  static Envelope text(UUID id, String destination, @Nullable String key, String text) {
    return new Envelope(
        id, destination, key, "Order", "7", "OrderPlaced", "1", "text/plain", text, null, "{}");
  }

  static Envelope bytes(UUID id, byte[] bytes) {
    return new Envelope(
        id, "d", null, null, null, null, null, "application/octet-stream", null, bytes, "{}");
  }

  int fail(Failure failure) throws SQLException {
    try (Connection connection = begin()) {
      int changed = relay.fail(connection, PARTITION, List.of(failure));
      connection.commit();
      return changed;
    }
  }

  void holdKey(HeldKey key) throws SQLException {
    try (Connection connection = begin()) {
      relay.holdKey(connection, PARTITION, key);
      connection.commit();
    }
  }

  OffsetDateTime clock() throws SQLException {
    return time("SELECT CURRENT_TIMESTAMP");
  }

  OffsetDateTime time(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getObject(1, OffsetDateTime.class);
    }
  }
}
