package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The service's heartbeat and its outages, by the database's clock. Thread-safe. */
public final class ServiceHeartbeatStore {
  private final Dialect dialect;
  private final String lock;
  private final String read;
  private final String begin;
  private final String live;
  private final String outages;
  private final String prolong;
  private final String record;
  private final String forget;
  private final String cut;
  private final String now;

  public ServiceHeartbeatStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String alive = tables.qualified("inbox_alive");
    String outage = tables.qualified("inbox_outage");
    lock =
        "SELECT alive_at, %s FROM %s WHERE id = 1 FOR UPDATE SKIP LOCKED"
            .formatted(dialect.now(), alive);
    read = "SELECT alive_at, %s FROM %s WHERE id = 1".formatted(dialect.now(), alive);
    begin =
        """
        INSERT INTO %1$s (id) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM %1$s WHERE id = 1) %2$s
        """
            .formatted(alive, dialect.onConflictDoNothing());
    live = "UPDATE %s SET alive_at = ? WHERE id = 1".formatted(alive);
    outages = "SELECT began_at, ended_at FROM %s".formatted(outage);
    prolong = "UPDATE %s SET ended_at = ? WHERE began_at = ?".formatted(outage);
    record = "INSERT INTO %s (ended_at, began_at) VALUES (?, ?)".formatted(outage);
    forget = "DELETE FROM %s WHERE ended_at <= ?".formatted(outage);
    cut = "UPDATE %s SET ended_at = ? WHERE ended_at > ?".formatted(outage);
    now = "SELECT " + dialect.now();
  }

  /**
   * A period in which no node ran.
   *
   * @param beganAt the last heartbeat before it
   * @param endedAt the first heartbeat after it
   */
  public record Outage(Instant beganAt, Instant endedAt) {}

  /**
   * The heartbeat's row, which all nodes share.
   *
   * @param at the last heartbeat
   * @param now the database's time
   */
  public record Alive(Instant at, Instant now) {}

  /**
   * Locks the row against other nodes until the transaction ends.
   *
   * @return empty if another node has the lock, or if there is no row yet
   */
  public Optional<Alive> lock(Connection connection) throws SQLException {
    return alive(connection, lock);
  }

  /**
   * Reads the committed row without a lock.
   *
   * @return empty if there is no row yet
   */
  public Optional<Alive> read(Connection connection) throws SQLException {
    return alive(connection, read);
  }

  private static Optional<Alive> alive(Connection connection, String sql) throws SQLException {
    return Sql.first(connection, sql, row -> new Alive(Sql.instant(row, 1), Sql.instant(row, 2)));
  }

  /**
   * Inserts the row if there is none, which locks it.
   *
   * @return whether it was inserted
   */
  public boolean begin(Connection connection) throws SQLException {
    return dialect.insertIfAbsent(connection, begin);
  }

  /** Writes the heartbeat. */
  public void live(Connection connection, Instant now) throws SQLException {
    Sql.update(connection, live, now);
  }

  /** Every recorded outage. */
  public List<Outage> outages(Connection connection) throws SQLException {
    return Sql.list(
        connection, outages, row -> new Outage(Sql.instant(row, 1), Sql.instant(row, 2)));
  }

  /** Records an outage, or prolongs the one that began at the same time. */
  public void record(Connection connection, Outage outage) throws SQLException {
    if (Sql.update(connection, prolong, outage.endedAt(), outage.beganAt()) == 0) {
      Sql.update(connection, record, outage.endedAt(), outage.beganAt());
    }
  }

  /** Deletes the outages that had ended by then. */
  public void forget(Connection connection, Instant endedBy) throws SQLException {
    Sql.update(connection, forget, endedBy);
  }

  /**
   * Shortens outages that end in the future, which happens when the database's clock is set back.
   */
  public void cut(Connection connection, Instant now) throws SQLException {
    Sql.update(connection, cut, now, now);
  }

  /** The database's time. */
  public Instant now(Connection connection) throws SQLException {
    return Sql.one(connection, now, row -> Sql.instant(row, 1));
  }
}
