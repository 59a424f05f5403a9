package io.postbox.benchmark;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The listeners of one server with a database and queues of its own. */
final class InboxServer implements AutoCloseable {
  private static final String XA = "javax.sql.XADataSource";
  private static final String ONE_PHASE = "javax.sql.ConnectionPoolDataSource";
  private static final int BATCH = 500;
  private static final String TEXT = "x".repeat(512);

  private final Broker broker;
  private final Database database;
  private final String queues;
  private final Server server;

  private InboxServer(Stage stage, String name, String type, int sessions) throws Exception {
    broker = stage.broker();
    database = stage.database(name);
    database.execute("CREATE TABLE effect (id VARCHAR(36) PRIMARY KEY, text TEXT NOT NULL)");
    queues = name.toUpperCase(Locale.ROOT);
    for (Listener listener : Listener.values()) {
      broker.create(queue(listener));
    }
    Map<String, String> keys = new HashMap<>();
    keys.put("postbox.application", "benchmark-inbox");
    keys.put("postbox.postgresql.type", type);
    keys.put("measured.queues", queues);
    keys.put("measured.sessions", String.valueOf(sessions));
    server = stage.server(database, Stage.ARTEMIS, keys);
  }

  /** Database and broker in two phases. */
  static InboxServer xa(Stage stage, String name, int sessions) throws Exception {
    return new InboxServer(stage, name, XA, sessions);
  }

  /** The database as last resource, in one phase. */
  static InboxServer onePhase(Stage stage, String name, int sessions) throws Exception {
    return new InboxServer(stage, name, ONE_PHASE, sessions);
  }

  Database database() {
    return database;
  }

  /**
   * Remembers very many ids of a listener's consumer, like those that it remembers already, in a
   * table aside, so that drains with few and with many of them can be measured in turns.
   */
  void rememberAside(Listener listener, int ids) throws SQLException {
    database.execute("CREATE TABLE inbox_message_aside (LIKE inbox_message INCLUDING ALL)");
    database.execute(
        """
        INSERT INTO inbox_message_aside (consumer, message_id, source, fingerprint,
          fingerprint_version, headers)
        SELECT consumer, uuidv7(), source, sha256(n::text::bytea), fingerprint_version, headers
        FROM (SELECT * FROM inbox_message WHERE consumer = '%s' LIMIT 1) one,
          generate_series(1, %s) n
        """
            .formatted(listener.consumer(), ids));
    database.execute("VACUUM ANALYZE inbox_message_aside");
  }

  /** Drains while the table aside is that of the inbox. */
  double drainAside(Listener listener, int count) throws Exception {
    exchangeTables();
    try {
      return drain(listener, count);
    } finally {
      exchangeTables();
    }
  }

  private void exchangeTables() throws SQLException {
    database.execute(
        """
        ALTER TABLE inbox_message RENAME TO inbox_message_exchanged;
        ALTER TABLE inbox_message_aside RENAME TO inbox_message;
        ALTER TABLE inbox_message_exchanged RENAME TO inbox_message_aside
        """);
  }

  /** Forgets all ids of a listener's consumer but so many. */
  void forget(Listener listener, int remaining) throws SQLException {
    database.execute(
        """
        DELETE FROM inbox_message WHERE consumer = '%1$s' AND message_id NOT IN
          (SELECT message_id FROM inbox_message WHERE consumer = '%1$s' LIMIT %2$s)
        """
            .formatted(listener.consumer(), remaining));
    database.execute("VACUUM ANALYZE inbox_message");
    database.execute("VACUUM ANALYZE inbox_stored");
  }

  /**
   * Drains a queue that was full before the first message is delivered; messages per second, until
   * each has its effect and is acknowledged.
   */
  double drain(Listener listener, int count) throws Exception {
    String queue = queue(listener);
    database.execute("TRUNCATE effect");
    broker.pause(queue);
    fill(queue, count);
    long start = System.nanoTime();
    broker.resume(queue);
    Waiting.until("an empty " + queue, () -> broker.count(queue) == 0);
    Waiting.until(count + " effects", () -> effects() >= count);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (effects() != count) {
      throw new IllegalStateException(effects() + " effects of " + count + " messages");
    }
    return count / seconds;
  }

  /**
   * Microseconds from sending a message until its effect is written, one message after the other.
   */
  List<Double> untilHandled(Listener listener, int count, int gapMillis) throws Exception {
    return server
        .post(
            "/handled?consumer=%s&count=%s&gap=%s".formatted(listener.consumer(), count, gapMillis))
        .lines()
        .map(nanos -> Long.parseLong(nanos) / 1e3)
        .toList();
  }

  private void fill(String queue, int count) throws Exception {
    try (Sender sender = Sender.transacted(broker, queue)) {
      List<Row> batch = new ArrayList<>();
      for (UUID id : database.newIds(count)) {
        batch.add(new Row(0, id, null, TEXT, Instant.now()));
        if (batch.size() == BATCH) {
          sender.sendAll(batch);
          batch.clear();
        }
      }
      sender.sendAll(batch);
    }
  }

  private long effects() throws SQLException {
    return database.number("SELECT COUNT(*) FROM effect");
  }

  private String queue(Listener listener) {
    return queues + "." + listener;
  }

  @Override
  public void close() {
    server.close();
  }
}
