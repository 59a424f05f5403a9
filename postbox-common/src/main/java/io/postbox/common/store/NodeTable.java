package io.postbox.common.store;

import static java.util.Comparator.comparing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A module's table of nodes: a row for each, with what the node last said of itself. A node renews
 * its row every few seconds and deletes it at an orderly stop, so a row that is no longer renewed
 * is that of a node that died, is frozen, or cannot reach the database. All times are the
 * database's. Thread-safe.
 */
public class NodeTable {
  /** How often a node renews its row. */
  public static final Duration BEAT = Duration.ofSeconds(5);

  /** A node whose row was not renewed for so long counts as not alive. */
  public static final Duration LONGEST_SILENCE = BEAT.multipliedBy(3);

  /** How long the row of a node that is not alive is kept. */
  public static final Duration MEMORY = Duration.ofDays(1);

  /** How many nodes are listed at most. */
  public static final int MOST = 1_000;

  private final String renew;
  private final String begin;
  private final String leave;
  private final String forget;
  private final String forgetReplaced;
  private final String list;

  /**
   * @param dialect the database's
   * @param table its qualified name
   */
  public NodeTable(Dialect dialect, String table) {
    String ago = dialect.now() + " - CAST(? AS BIGINT) * INTERVAL '1' SECOND";
    renew =
        "UPDATE %s SET alive_at = %s, details = ? WHERE node = ?".formatted(table, dialect.now());
    begin =
        "INSERT INTO %s (details, node, host, version, started_at) VALUES (?, ?, ?, ?, %s)"
            .formatted(table, ago);
    leave = "DELETE FROM %s WHERE node = ?".formatted(table);
    forget = "DELETE FROM %s WHERE alive_at < %s".formatted(table, ago);
    forgetReplaced = "DELETE FROM %s WHERE host = ? AND alive_at < %s".formatted(table, ago);
    list =
        """
        SELECT node, host, version, started_at, alive_at, %s AS read_at, details FROM %s
        ORDER BY alive_at DESC, node FETCH FIRST %s ROWS ONLY
        """
            .formatted(dialect.now(), table, MOST);
  }

  /**
   * A node.
   *
   * @param name unique, also against earlier processes of the same machine; at most 100 characters
   * @param host its machine; at most 100 characters
   * @param version the module's version; at most 50 characters
   */
  public record Node(String name, String host, String version) {}

  /**
   * The row of a node.
   *
   * @param node the node
   * @param startedAt when it started
   * @param aliveAt when it last renewed the row
   * @param readAt when the row was read
   * @param details its report then
   */
  public record Row(Node node, Instant startedAt, Instant aliveAt, Instant readAt, String details) {

    /** Whether another node started on the same machine after this one had died. */
    boolean isReplacedBy(Row other) {
      return !isAlive()
          && other.isAlive()
          && other.node.host().equals(node.host())
          && !other.startedAt.isBefore(aliveAt);
    }

    /** Whether the node has renewed it lately; not if the database's clock was set back since. */
    public boolean isAlive() {
      return Duration.between(aliveAt, readAt).abs().compareTo(LONGEST_SILENCE) < 0;
    }
  }

  /**
   * Renews the row of a node, in one statement, or inserts it.
   *
   * @param up how long ago the node started
   * @param details its report
   */
  public final void beat(Connection connection, Node node, Duration up, String details)
      throws SQLException {
    if (Sql.update(connection, renew, details, node.name()) == 0) {
      Sql.update(
          connection, begin, details, node.name(), node.host(), node.version(), up.toSeconds());
    }
  }

  /** Deletes the row of a node that stops in an orderly way. */
  public final void leave(Connection connection, String name) throws SQLException {
    Sql.update(connection, leave, name);
  }

  /**
   * Deletes the rows that were not renewed for this long.
   *
   * @return how many there were
   */
  public final int forget(Connection connection, Duration silentFor) throws SQLException {
    return Sql.update(connection, forget, silentFor.toSeconds());
  }

  /**
   * Deletes the rows of a machine that were not renewed for this long: its node that runs has
   * replaced theirs.
   */
  public final void forget(Connection connection, String host, Duration silentFor)
      throws SQLException {
    Sql.update(connection, forgetReplaced, host, silentFor.toSeconds());
  }

  /**
   * The rows, the last renewed first, and {@link #MOST} at most; none of a node that is not alive
   * and was replaced, on its machine or, one for one, on another: a container's name is a new one.
   */
  public final List<Row> list(Connection connection) throws SQLException {
    List<Row> found = Sql.list(connection, list, NodeTable::row);
    Set<Row> replaced = replacedElsewhere(found);
    return found.stream()
        .filter(one -> found.stream().noneMatch(one::isReplacedBy))
        .filter(one -> !replaced.contains(one))
        .toList();
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        new Node(row.getString(1), row.getString(2), row.getString(3)),
        Sql.instant(row, 4),
        Sql.instant(row, 5),
        Sql.instant(row, 6),
        row.getString(7));
  }

  /** Each start stands for one node that had died by then, of its own machine if there is one. */
  private static Set<Row> replacedElsewhere(List<Row> rows) {
    Set<Row> replaced = new HashSet<>();
    rows.stream()
        .sorted(comparing(Row::startedAt))
        .forEach(
            start ->
                rows.stream()
                    .filter(one -> !one.equals(start) && !one.isAlive() && !replaced.contains(one))
                    .filter(one -> !start.startedAt().isBefore(one.aliveAt()))
                    .min(
                        comparing((Row one) -> !one.node().host().equals(start.node().host()))
                            .thenComparing(Row::aliveAt))
                    .ifPresent(replaced::add));
    return replaced;
  }
}
