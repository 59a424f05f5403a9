package io.postbox.benchmark;

import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.transforms.outbox.EventRouter;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.FileOffsetBackingStore;

/**
 * Debezium embedded with its outbox event router, as their documentation has it: the router's
 * default table, whose rows are deleted by the transaction that inserts them, pgoutput, and a
 * consumer of whole batches that marks each record, which here sends a batch in one JMS
 * transaction.
 */
final class DebeziumPeer implements Peer {
  private static final String PREFIX = "outbox.event.";

  private final Database database;
  private final Broker broker;
  private final Path folder;

  /**
   * @param database of a PostgreSQL with {@code wal_level=logical}
   * @param folder for its offsets
   */
  DebeziumPeer(Database database, Broker broker, Path folder) throws SQLException {
    this.database = database;
    this.broker = broker;
    this.folder = folder;
    database.execute(
        """
        CREATE TABLE outbox (id UUID PRIMARY KEY, aggregatetype VARCHAR(255) NOT NULL,
          aggregateid VARCHAR(255) NOT NULL, type VARCHAR(255) NOT NULL, payload TEXT)
        """);
  }

  private Properties properties() throws IOException {
    Path offsets = Files.createDirectories(folder).resolve("offsets");
    Files.deleteIfExists(offsets);
    Properties properties = new Properties();
    properties.setProperty("name", "peer");
    properties.setProperty("connector.class", PostgresConnector.class.getName());
    properties.setProperty("offset.storage", FileOffsetBackingStore.class.getName());
    properties.setProperty("offset.storage.file.filename", offsets.toString());
    properties.setProperty("database.hostname", "localhost");
    properties.setProperty("database.port", String.valueOf(database.port()));
    properties.setProperty("database.dbname", database.name());
    properties.setProperty("database.user", Database.USER);
    properties.setProperty("database.password", Database.USER);
    properties.setProperty("topic.prefix", "peer");
    properties.setProperty("plugin.name", "pgoutput");
    properties.setProperty("table.include.list", "public.outbox");
    properties.setProperty("slot.drop.on.stop", "true");
    properties.setProperty("snapshot.mode", "no_data");
    properties.setProperty("tombstones.on.delete", "false");
    properties.setProperty("transforms", "outbox");
    properties.setProperty("transforms.outbox.type", EventRouter.class.getName());
    return properties;
  }

  private static void send(
      Sender sender,
      List<RecordChangeEvent<SourceRecord>> events,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    try {
      sender.sendAll(
          events.stream()
              .map(RecordChangeEvent::record)
              .filter(record -> record.topic().startsWith(PREFIX))
              .map(DebeziumPeer::row)
              .toList());
    } catch (JMSException failed) {
      throw new IllegalStateException("The broker refuses a batch", failed);
    }
    for (RecordChangeEvent<SourceRecord> event : events) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  private static Row row(SourceRecord record) {
    return new Row(
        0,
        UUID.fromString(String.valueOf(record.headers().lastWithName("id").value())),
        String.valueOf(record.key()),
        String.valueOf(record.value()),
        Instant.now());
  }

  @Override
  public String name() {
    return "Debezium embedded " + Options.value("debezium");
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "that of the commits",
        "in the business transaction; sent at least once; its slot keeps the log until then",
        "none: a message that fails stops all others");
  }

  /**
   * Connected before the backlog is committed, and measured from then on, for then it reads the
   * log; not at work while others are measured, for it would read theirs.
   */
  @Override
  public double drain(int count) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Sender sender = Sender.transacted(broker, Broker.PEER);
        DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
            DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(properties())
                .notifying((events, committer) -> send(sender, events, committer))
                .build()) {
      thread.execute(engine);
      Waiting.until("the replication slot", this::isConnected);
      fill(count);
      return Drained.rate(broker, Broker.PEER, count, System.nanoTime(), () -> true);
    } finally {
      thread.shutdown();
    }
  }

  private boolean isConnected() throws SQLException {
    return database.number("SELECT COUNT(*) FROM pg_replication_slots WHERE active") == 1;
  }

  private void fill(int count) throws SQLException {
    database.execute(
        """
        BEGIN;
        INSERT INTO outbox
        SELECT gen_random_uuid(), 'order', 'k' || n %% 16 || '-' || n / 160, 'OrderPlaced',
          repeat('x', 512)
        FROM generate_series(0, %s - 1) n;
        DELETE FROM outbox;
        COMMIT
        """
            .formatted(count));
  }

  @Override
  public void close() {
    // Each drain closes what it opens.
  }
}
