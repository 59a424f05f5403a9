package io.postbox.cdc;

import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.ReplicationSlotStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** PostgreSQL with logical decoding, and in it the outbox's tables as its script makes them. */
final class OutboxDatabase implements AutoCloseable {
  static final String SLOT = "postbox_outbox";
  private static final String SCRIPT = "/META-INF/postbox/postgresql/outbox.sql";
  private static final TableNames TABLES = new TableNames("", "");
  static final DataSubjectKey DATA_SUBJECTS =
      new DataSubjectKey("0123456789abcdef0123456789abcdef");

  private final EmbeddedPostgres server;
  private final Enqueuer toRelay = enqueuer(Optional.empty());
  private final Enqueuer toConnector =
      enqueuer(Optional.of(new ReplicationSlotStore(TABLES, SLOT)));

  OutboxDatabase() throws IOException, SQLException {
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("wal_level", "logical")
            .setServerConfig("fsync", "off")
            .setLocaleConfig("locale", "C")
            .start();
    try (InputStream script = MessageStore.class.getResourceAsStream(SCRIPT)) {
      execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Enqueuer enqueuer(Optional<ReplicationSlotStore> slot) {
    return new Enqueuer(
        new MessageStore(Dialect.POSTGRESQL, TABLES),
        InstantSource.system(),
        16,
        new PayloadEncoder(1 << 20, 1 << 20, String::valueOf, Optional.empty(), false),
        Destinations.ANY,
        slot,
        Optional.of(DATA_SUBJECTS));
  }

  int port() {
    return server.getPort();
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  String text(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Whether a connector's slot carries what is enqueued from now on. */
  boolean hasSlot() throws SQLException {
    return number("SELECT COUNT(*) FROM pg_replication_slots WHERE confirmed_flush_lsn IS NOT NULL")
        == 1;
  }

  /** Enqueues in one transaction, as with relay.mode=cdc. */
  List<UUID> enqueue(OutboxMessage... messages) throws SQLException {
    return write(toConnector, true, messages);
  }

  /** Enqueues in one transaction, as with relay.mode=polling: the rows stay. */
  List<UUID> enqueueForRelay(OutboxMessage... messages) throws SQLException {
    return write(toRelay, true, messages);
  }

  /** Enqueues in a transaction that rolls back. */
  List<UUID> enqueueInVain(OutboxMessage... messages) throws SQLException {
    return write(toConnector, false, messages);
  }

  private List<UUID> write(Enqueuer enqueuer, boolean commits, OutboxMessage... messages)
      throws SQLException {
    List<NewMessage> prepared = Arrays.stream(messages).map(enqueuer::prepare).toList();
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      connection.setAutoCommit(false);
      enqueuer.write(connection, prepared, prepared.size() > 1);
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
    }
    return prepared.stream().map(it -> it.envelope().id()).toList();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
