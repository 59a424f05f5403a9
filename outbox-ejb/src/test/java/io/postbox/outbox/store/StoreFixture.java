package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database with the outbox's tables, under a schema and a prefix of their own. */
final class StoreFixture {
  static final int PARTITION = 3;
  private static final TestConfig CONFIG = TestConfig.DEFAULT.withTables("shop", "pb_");

  final DataSource dataSource;
  final MessageStore messages;
  final ClaimStore relay;
  final PollStore polls;
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
    relay =
        new ClaimStore(database.dialect(), tables, AfterSending.DELETE, Duration.ofMinutes(1), "");
    polls = new PollStore(database.dialect(), tables);
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
      messages.insert(connection, prepared(envelope));
      connection.commit();
    }
    return envelope;
  }

  static NewMessage prepared(Envelope envelope) {
    return new NewMessage(PARTITION, envelope, null, null);
  }

  static Lane lane(String destination) {
    return new Lane(PARTITION, destination);
  }

  /** Reads what is to be sent to "d" in a transaction that is rolled back. */
  List<StoredMessage> due() throws SQLException {
    return due("d");
  }

  List<StoredMessage> due(String destination) throws SQLException {
    try (Connection connection = begin()) {
      List<StoredMessage> due = new ArrayList<>();
      Batch batch;
      do { // one read is bounded in octets
        long last = due.isEmpty() ? 0 : due.get(due.size() - 1).seq();
        batch = relay.read(connection, lane(destination), last, 1_000);
        due.addAll(batch.messages());
      } while (batch.full());
      connection.rollback();
      return due;
    }
  }

  List<UUID> dueIds() throws SQLException {
    return due().stream().map(it -> it.envelope().id()).toList();
  }

  static Envelope text(UUID id, String destination, @Nullable String key, String text) {
    return new Envelope(
        id,
        destination,
        key,
        "Order",
        "7",
        null,
        "OrderPlaced",
        "1",
        "text/plain",
        new Body.Text(text),
        "{}",
        null);
  }

  static Envelope bytes(UUID id, byte[] bytes) {
    return new Envelope(
        id,
        "d",
        null,
        null,
        null,
        null,
        null,
        null,
        "application/octet-stream",
        new Body.Bytes(bytes),
        "{}",
        null);
  }

  /** A failure that is charged. */
  static Failure failure(StoredMessage message, boolean dead, Duration backoff, String error) {
    return new Failure(message, 1, dead, backoff, RecordedError.of(error));
  }

  int fail(Failure failure) throws SQLException {
    try (Connection connection = begin()) {
      int changed =
          relay.fail(
              connection,
              PARTITION,
              List.of(failure),
              Map.of(failure.error(), failure.error().text()));
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
