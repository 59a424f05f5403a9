package io.postbox.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A relay as written in an afternoon: a loop of one row, one send, one update, one commit. */
final class NaivePoller implements Peer {
  private final Database database;
  private final Broker broker;

  NaivePoller(Database database, Broker broker) throws SQLException {
    this.database = database;
    this.broker = broker;
    database.execute(
        """
        CREATE TABLE message (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          id UUID NOT NULL, ordering_key VARCHAR(100), payload_text TEXT NOT NULL,
          created_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(), sent BOOLEAN NOT NULL);
        CREATE INDEX message_unsent ON message (seq) WHERE NOT sent
        """);
  }

  @Override
  public String name() {
    return "naive poller";
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "as inserted, not as committed",
        "in the business transaction; sent at least once",
        "none: a message that fails stops all others");
  }

  @Override
  public double drain(int count) throws Exception {
    database.execute(
        """
        INSERT INTO message (id, ordering_key, payload_text, sent)
        SELECT gen_random_uuid(), 'k' || n %% 16 || '-' || n / 160, repeat('x', 512), FALSE
        FROM generate_series(0, %s - 1) n
        """
            .formatted(count));
    long start = System.nanoTime();
    sendAll();
    double rate = Drained.rate(broker, Broker.PEER, count, start, () -> true);
    database.execute("DELETE FROM message");
    database.execute("VACUUM ANALYZE message");
    return rate;
  }

  private void sendAll() throws Exception {
    try (Connection connection = database.connect();
        Sender sender = Sender.immediate(broker, Broker.PEER);
        PreparedStatement next =
            connection.prepareStatement(
                """
                SELECT seq, id, ordering_key, payload_text, created_at FROM message
                WHERE NOT sent ORDER BY seq LIMIT 1 FOR UPDATE
                """);
        PreparedStatement done =
            connection.prepareStatement("UPDATE message SET sent = TRUE WHERE seq = ?")) {
      connection.setAutoCommit(false);
      while (sendNext(next, done, sender)) {
        connection.commit();
      }
    }
  }

  private static boolean sendNext(PreparedStatement next, PreparedStatement done, Sender sender)
      throws Exception {
    try (ResultSet row = next.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      Row found = Row.of(row);
      sender.send(found);
      done.setLong(1, found.seq());
      done.executeUpdate();
      return true;
    }
  }

  @Override
  public void close() {
    // Each drain closes what it opens.
  }
}
