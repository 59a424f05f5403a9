package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HolderQueryTest {
  private static final TableNames TABLES = new TableNames("shop", "pb_");
  private static final String LOCK =
      "SELECT partition_no FROM shop.pb_outbox_partition WHERE partition_no = %s FOR UPDATE";

  private static List<String> holders(TestDatabase database, StoreFixture store, String column)
      throws SQLException {
    try (Connection connection = store.dataSource.getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                HolderQuery.of(database.dialect(), TABLES, StoreFixture.PARTITION));
        ResultSet rows = query.executeQuery()) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(column));
      }
      return found;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String session(TestDatabase database, Connection connection) throws SQLException {
    String sql = database == TestDatabase.H2 ? "SELECT SESSION_ID()" : "SELECT pg_backend_pid()";
    try (PreparedStatement query = connection.prepareStatement(sql);
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSessionThatHoldsThePartitionIsFound(TestDatabase database) throws SQLException {
    String column = database == TestDatabase.H2 ? "session_id" : "pid";
    StoreFixture store = new StoreFixture(database);
    assertThat(holders(database, store, column)).isEmpty();
    try (Connection holder = store.begin()) {
      execute(holder, LOCK.formatted(StoreFixture.PARTITION));
      assertThat(holders(database, store, column)).containsExactly(session(database, holder));
      holder.rollback();
    }
    assertThat(holders(database, store, column)).isEmpty();
  }

  private static Optional<String> holder(TestDatabase database, StoreFixture store)
      throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return HolderQuery.holder(connection, database.dialect(), TABLES, StoreFixture.PARTITION);
    }
  }

  @Test
  void onPostgresTheHolderIsNamedWithoutWhatItExecutes() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    assertThat(holder(TestDatabase.POSTGRESQL, store)).isEmpty();
    try (Connection session = store.begin()) {
      execute(session, "SET LOCAL application_name = 'a forgotten psql'");
      execute(session, LOCK.formatted(StoreFixture.PARTITION));
      assertThat(holder(TestDatabase.POSTGRESQL, store))
          .contains(
              "session %s (a forgotten psql) from 127.0.0.1, idle in transaction"
                  .formatted(session(TestDatabase.POSTGRESQL, session)));
      session.rollback();
    }
    try (Connection lost = store.begin()) {
      execute(lost, LOCK.formatted(StoreFixture.PARTITION));
      execute(lost, "PREPARE TRANSACTION 'left alone'");
    }
    try {
      assertThat(holder(TestDatabase.POSTGRESQL, store))
          .contains("prepared transaction left alone");
    } finally {
      store.rows.execute("ROLLBACK PREPARED 'left alone'");
    }
  }

  @Test
  void onH2NobodyIsNamed() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.H2);
    try (Connection session = store.begin()) {
      execute(session, LOCK.formatted(StoreFixture.PARTITION));
      assertThat(holder(TestDatabase.H2, store)).isEmpty();
      session.rollback();
    }
  }

  @Test
  void onPostgresTheHolderOfAnotherPartitionIsNot() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    try (Connection other = store.begin()) {
      execute(other, LOCK.formatted(StoreFixture.PARTITION + 1));
      assertThat(holders(TestDatabase.POSTGRESQL, store, "pid")).isEmpty();
    }
  }

  @Test
  void onPostgresAPreparedTransactionIsFoundByItsName() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    try (Connection lost = store.begin()) {
      execute(lost, LOCK.formatted(StoreFixture.PARTITION));
      execute(lost, "PREPARE TRANSACTION 'in doubt'");
    }
    try {
      assertThat(holders(TestDatabase.POSTGRESQL, store, "gid")).containsExactly("in doubt");
    } finally {
      store.rows.execute("ROLLBACK PREPARED 'in doubt'");
    }
  }
}
