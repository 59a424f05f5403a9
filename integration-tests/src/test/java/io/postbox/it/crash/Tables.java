package io.postbox.it.crash;

import io.postbox.it.crash.FinalState.KeptAside;
import io.postbox.it.crash.FinalState.Message;
import io.postbox.it.crash.FinalState.Order;
import io.postbox.it.crash.FinalState.Shipment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Every SQL statement of the campaign: it reads the tables past the product. */
final class Tables {
  private static final String ORDERS =
      """
      SELECT id, sku, quantity, status, message_id
      FROM orders
      ORDER BY id
      """;
  private static final String SHIPMENTS =
      """
      SELECT id, order_id, sku, quantity
      FROM shipment
      ORDER BY id
      """;
  private static final String STOCK =
      """
      SELECT sku, quantity
      FROM stock
      """;
  private static final String OUTBOX =
      """
      SELECT id, destination, aggregate_id, status, attempts, last_error
      FROM outbox_message
      ORDER BY partition_no, seq
      """;
  private static final String HELD_KEYS =
      """
      SELECT destination, ordering_key
      FROM outbox_held_key
      """;
  private static final String KEPT_ASIDE =
      """
      SELECT consumer, message_id, reason, properties
      FROM inbox_quarantine
      UNION ALL
      SELECT consumer, message_id, reason, properties
      FROM inbox_parked
      """;

  /** After its name, wherever that stands. */
  private static final Pattern TAG =
      Pattern.compile("(?<=\"" + HostileServlet.TAG + "\".{1,30})[0-9a-f-]{36}");

  private static final String CLAIM_ALL_PARTITIONS =
      """
      SELECT partition_no
      FROM outbox_partition
      FOR UPDATE
      """;

  /** PostgreSQL only. A claim that works is idle while it sends, but not for so long. */
  private static final String OLD_CLAIMS =
      """
      SELECT DISTINCT a.pid || ' in ' || a.query
      FROM pg_stat_activity a
      JOIN pg_locks l ON l.pid = a.pid
      JOIN pg_class c ON c.oid = l.relation
      WHERE c.relname = 'outbox_partition' AND l.mode = 'RowShareLock' AND l.granted
        AND a.state = 'idle in transaction'
        AND a.state_change < clock_timestamp() - INTERVAL '1 second'
      """;

  private Tables() {}

  /** Everything that the checker wants to know. */
  static FinalState read(
      Database database, Map<String, Long> stockBefore, Map<String, Long> queues, List<Sent> sent) {
    try (Connection connection = database.connect()) {
      return new FinalState(
          list(
              connection,
              ORDERS,
              row ->
                  new Order(
                      row.getLong(1),
                      row.getString(2),
                      row.getInt(3),
                      row.getString(4),
                      row.getString(5))),
          list(
              connection,
              SHIPMENTS,
              row -> new Shipment(row.getLong(1), row.getLong(2), row.getString(3), row.getInt(4))),
          stockBefore,
          stock(connection),
          list(
              connection,
              OUTBOX,
              row ->
                  new Message(
                      row.getString(1),
                      row.getString(2),
                      number(row.getString(3)),
                      row.getString(4),
                      row.getInt(5),
                      text(row.getString(6)))),
          list(connection, HELD_KEYS, row -> row.getString(1) + " " + row.getString(2)),
          list(
              connection,
              KEPT_ASIDE,
              row ->
                  new KeptAside(
                      row.getString(1),
                      text(row.getString(2)),
                      row.getString(3),
                      tag(row.getString(4)))),
          queues,
          sent,
          list(connection, database.preparedTransactions(), row -> row.getString(1)));
    } catch (SQLException e) {
      throw new IllegalStateException("The tables cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The transactions that are prepared and not yet decided. */
  static List<String> inDoubt(Database database) {
    try (Connection connection = database.connect()) {
      return list(connection, database.preparedTransactions(), row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(
          "Prepared transactions cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The transactions that hold a claim and have done nothing for a second; PostgreSQL only. */
  static List<String> oldClaims(Database database) {
    try (Connection connection = database.connect()) {
      return list(connection, OLD_CLAIMS, row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException("Claims cannot be read; " + database.whereabouts(), e);
    }
  }

  /** Takes the relay's work away from it, for as long as the connection's transaction lasts. */
  static void claimAllPartitions(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    list(connection, CLAIM_ALL_PARTITIONS, row -> row.getInt(1));
  }

  private static Map<String, Long> stock(Connection connection) throws SQLException {
    Map<String, Long> stock = new TreeMap<>();
    list(connection, STOCK, row -> stock.put(row.getString(1), row.getLong(2)));
    return stock;
  }

  @FunctionalInterface
  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static <T> List<T> list(Connection connection, String sql, Row<T> reader)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      List<T> list = new ArrayList<>();
      while (rows.next()) {
        list.add(reader.read(rows));
      }
      return list;
    }
  }

  private static String tag(String properties) {
    Matcher matcher = TAG.matcher(properties);
    return matcher.find() ? matcher.group() : "";
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }

  private static long number(@Nullable String value) {
    return value != null && value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
  }
}
