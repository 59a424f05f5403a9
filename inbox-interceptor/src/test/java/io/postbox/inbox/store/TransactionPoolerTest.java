package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.TransactionPooler;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behind a pooler that gives each transaction the next session, which others had before. */
class TransactionPoolerTest {
  private static final String DAYS =
      "SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'inbox_message_2%' AND relkind = 'r'";
  private static final String LEFT_BEHIND =
      """
      SELECT (SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND database =
          (SELECT oid FROM pg_database WHERE datname = current_database()))
        + (SELECT COUNT(*) FROM pg_settings WHERE source = 'session'
            AND name IN ('lock_timeout', 'idle_in_transaction_session_timeout', 'statement_timeout'))
      """;

  private final InboxConfig config =
      TestConfig.shop(
          Map.of("table-partitioning", "daily", "retention", "3d", "create-tables", "true"));
  private List<Connection> sessions;
  private TransactionPooler pooler;

  @BeforeEach
  void connect() throws SQLException {
    String url = TestDatabase.POSTGRESQL.freshUrl();
    sessions =
        List.of(TestDatabase.connect(url), TestDatabase.connect(url), TestDatabase.connect(url));
    pooler = new TransactionPooler(sessions);
    try (Connection start = pooler.connection()) {
      new Schema(Dialect.POSTGRESQL, config).prepare(start);
    }
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection session : sessions) {
      session.close();
    }
  }

  private void drop(Instant before) throws SQLException {
    try (Connection connection = pooler.connection()) {
      new MessageTables(config).drop(connection, before);
    }
  }

  private static long count(Connection session, String sql) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void tablesOfPastDaysAreDroppedOnEveryDay() throws SQLException {
    Instant now = Instant.now();
    drop(now);
    long left = count(sessions.get(0), DAYS);

    for (int day = 1; day <= 3; day++) {
      drop(now.plus(Duration.ofDays(day)));

      assertThat(count(sessions.get(0), DAYS)).isEqualTo(left - day);
    }
  }

  @Test
  void noSessionKeepsALockOrASetting() throws SQLException {
    drop(Instant.now());

    for (Connection session : sessions) {
      assertThat(count(session, LEFT_BEHIND)).isZero();
    }
  }

  /** Two nodes found the same tables, and one of them was faster. */
  @Test
  void aTableThatAnotherNodeHasDroppedIsNoFailure() throws SQLException {
    Instant now = Instant.now();
    boolean[] overtaken = new boolean[1];
    Connection slow =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("createStatement") && !overtaken[0]) {
                    overtaken[0] = true;
                    drop(now);
                  }
                  return method.invoke(sessions.get(0), arguments);
                });

    assertThatCode(() -> new MessageTables(config).drop(slow, now)).doesNotThrowAnyException();

    assertThat(overtaken[0]).isTrue();
    assertThat(count(sessions.get(0), DAYS)).isEqualTo(MessageTables.AHEAD + 2);
  }
}
