package io.postbox.outbox.ops;

import io.postbox.common.PlanToken;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Retention;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database full of dead letters, and what is done about them. */
final class DeadLetterFixture {
  static final String WHO = "ada";

  final TestDatabase database;
  final OutboxConfig config;
  final CountingDataSource counting;
  final Rows rows;
  final DeadLetterQueries queries;
  final Operator actions;
  final SettableClock clock = new SettableClock();

  DeadLetterFixture(TestDatabase database) throws SQLException {
    this(database, TestConfig.DEFAULT.config().retention());
  }

  DeadLetterFixture(TestDatabase database, Retention retention) throws SQLException {
    this.database = database;
    config =
        TestConfig.withRetention(TestConfig.DEFAULT.withTables("shop", "pb_").config(), retention);
    counting = new CountingDataSource(database.fresh());
    rows = new Rows(counting.dataSource(), config.tables());
    rows.execute("CREATE SCHEMA shop");
    try (Connection connection = counting.dataSource().getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
    }
    queries = new DeadLetterQueries(config, counting.dataSource(), StoredErrors.CLEAR);
    actions = actions(counting.dataSource());
  }

  /**
   * Inserts messages in partitions in turn.
   *
   * @param key an expression of the number {@code i}
   */
  void insert(String status, int howMany, String destination, String key) {
    insert(status, howMany, destination, key, "NULL");
  }

  /**
   * Inserts messages as if they had been sent.
   *
   * @param when an expression
   */
  void sent(int howMany, String when) {
    insert("SENT", howMany, "d", "CAST(NULL AS VARCHAR)", when);
  }

  private void insert(String status, int howMany, String destination, String key, String sentAt) {
    String numbers =
        database == TestDatabase.H2
            ? "(SELECT X AS i FROM SYSTEM_RANGE(1, %s))"
            : "(SELECT generate_series AS i FROM generate_series(1, %s))";
    rows.execute(
        """
        INSERT INTO shop.pb_outbox_message
          (partition_no, id, destination, ordering_key, aggregate_type, aggregate_id, event_type,
           schema_version, content_type, payload_text, headers, trace_parent, status, attempts,
           last_error, signature, created_at, sent_at)
        SELECT MOD(i, 16), CAST(LPAD(CAST(%s + i AS VARCHAR), 32, '0') AS UUID), '%s', %s, 'Order',
          CAST(i AS VARCHAR), 'OrderPlaced', '1', 'text/plain', 'x', '{}', 'trace', '%s', 3,
          'AMQ229032: 100%% refused_', '5ef0', CURRENT_TIMESTAMP,
          CAST(%s AS TIMESTAMP WITH TIME ZONE)
        FROM %s n ORDER BY i
        """
            .formatted(count(), destination, key, status, sentAt, numbers.formatted(howMany)));
  }

  void dead(int howMany, String destination) {
    insert("DEAD", howMany, destination, "CAST(NULL AS VARCHAR)");
  }

  int count() {
    return rows.count("outbox_message");
  }

  DeadLetterPlan plan() {
    return plan(DeadLetterFilter.all());
  }

  DeadLetterPlan plan(DeadLetterFilter filter) {
    return plan(filter, WHO).atRate(1_000_000);
  }

  DeadLetterPlan plan(DeadLetterFilter filter, String principal) {
    return actions.plan(queries.plan(filter), principal);
  }

  /** Lets a plan expire. */
  void expire(PlanToken token) {
    rows.execute(
        "UPDATE shop.pb_outbox_action SET finished_at = CURRENT_TIMESTAMP WHERE id = '%s'"
            .formatted(token.id()));
  }

  long redrive(DeadLetterPlan plan) {
    return actions.redrive(plan, WHO, "why not");
  }

  Operator actions(DataSource dataSource) {
    return new Operator(database.dialect(), config, dataSource);
  }

  /** The first column of each row, as text. */
  List<String> column(String sql) {
    try (Connection connection = counting.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  long count(String condition) {
    return Long.parseLong(
        column("SELECT COUNT(*) FROM shop.pb_outbox_message WHERE " + condition).get(0));
  }

  static OperatorCalls calls(DataSource from) {
    return new OperatorCalls(new LocalTransactions(from), OutboxLog::failure);
  }
}
