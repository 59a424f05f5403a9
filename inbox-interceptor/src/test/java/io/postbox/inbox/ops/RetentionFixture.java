package io.postbox.inbox.ops;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.DataSources;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Fresh tables {@code shop.pb_…} whose nodes have always lived, and a node's housekeeping. */
final class RetentionFixture {
  private final String url;
  final InboxConfig config;
  final Dialect dialect;
  final IdRange ids = new IdRange();
  final RuntimePolicies policies;
  final Housekeeping housekeeping;
  int commits;
  boolean loseCommits;
  int loseCommit;
  private int tried;
  Duration perCommit = Duration.ZERO;
  Instant now = Instant.EPOCH;

  RetentionFixture(TestDatabase database, Map<String, String> settings) throws SQLException {
    this(database.freshUrl(), settings, true);
  }

  private RetentionFixture(String url, Map<String, String> settings, boolean fresh)
      throws SQLException {
    this.url = url;
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(Map.of("schema", "shop", "table-prefix", "pb_"));
    all.put("create-tables", String.valueOf(!url.contains("user=guest")));
    config = TestConfig.shop(all);
    if (fresh) {
      execute("CREATE SCHEMA shop");
    }
    try (Connection connection = TestDatabase.connect(url)) {
      dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, config).prepare(connection);
    }
    if (fresh) {
      execute("INSERT INTO shop.pb_inbox_alive (id) VALUES (1)");
    }
    policies = RuntimePolicies.on(config, dataSource(), () -> now);
    housekeeping = new Housekeeping(dialect, config, policies, ids, dataSource(), () -> now);
  }

  /** Another node, or the same after a start with other settings. */
  RetentionFixture again(Map<String, String> settings) throws SQLException {
    return new RetentionFixture(url, settings, false);
  }

  /** A node that logs in as somebody else, on PostgreSQL. */
  RetentionFixture of(String user, Map<String, String> settings) throws SQLException {
    return new RetentionFixture(url.replace("user=postgres", "user=" + user), settings, false);
  }

  void tickAfter(Duration pause) {
    now = now.plus(pause);
    housekeeping.tick();
  }

  Connection connect() throws SQLException {
    return TestDatabase.connect(url);
  }

  /** Ids of a consumer that were handled some days ago. */
  void handled(String consumer, String firstId, int howMany, int daysAgo) throws SQLException {
    execute(
        """
        INSERT INTO shop.pb_inbox_message (consumer, message_id, fingerprint, fingerprint_version,
          headers, processed_at)
        SELECT '%s', CONCAT('%s', n), %s, 1, '', %s FROM %s
        """
            .formatted(
                consumer,
                firstId,
                dialect == Dialect.H2
                    ? "X'" + "11".repeat(32) + "'"
                    : "'\\x" + "11".repeat(32) + "'",
                daysAgo(daysAgo),
                numbers(howMany)));
  }

  /** Actions that are done. */
  void finished(int howMany, int daysAgo) throws SQLException {
    execute(
        """
        INSERT INTO shop.pb_inbox_action (id, action, state, principal, reason, subject, total,
          plan, progress, changed_at, finished_at)
        SELECT CAST(CONCAT('00000000-0000-0000-0000-00000000', 1000 + n) AS UUID), 'redrive',
          'DONE', 'p', 'r', 's', 1, '{}', '', %1$s, %1$s FROM %2$s
        """
            .formatted(daysAgo(daysAgo), numbers(howMany)));
  }

  void failed(String consumer, String id, int daysAgo) throws SQLException {
    execute(
        """
        INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason, failed_at)
        VALUES ('%s', '%s', 1, 'FAILED', '', %s)
        """
            .formatted(consumer, id, daysAgo(daysAgo)));
  }

  void left(String consumer, String id, String effect, int daysAgo) throws SQLException {
    execute(
        """
        INSERT INTO shop.pb_inbox_result (consumer, message_id, effect, created_at)
        VALUES ('%s', '%s', '%s', %s)
        """
            .formatted(consumer, id, effect, daysAgo(daysAgo)));
  }

  String daysAgo(int days) {
    return "CURRENT_TIMESTAMP - INTERVAL '%s' DAY".formatted(days);
  }

  private String numbers(int howMany) {
    return dialect == Dialect.H2
        ? "(SELECT X AS n FROM SYSTEM_RANGE(1, %s))".formatted(howMany)
        : "generate_series(1, %s) n".formatted(howMany);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  List<String> column(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }

  int count(String table) throws SQLException {
    return Integer.parseInt(column("SELECT COUNT(*) FROM shop.pb_" + table).get(0));
  }

  DataSource dataSource() {
    return DataSources.of(() -> counting(connect()));
  }

  private Connection counting(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> onConnection(connection, method, arguments));
  }

  private Object onConnection(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("commit")) {
      if (loseCommits || ++tried == loseCommit) {
        connection.rollback();
        throw new SQLException("the connection was lost at commit", "08006");
      }
      commits++;
      now = now.plus(perCommit);
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
