package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Crashes.Unended;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class AttemptStoreTest {
  private static final TableNames TABLES = new TableNames("", "");

  @Parameter TestDatabase database;
  private Connection connection;
  private AttemptStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    connection = TestDatabase.connect(database.freshUrl());
    Dialect dialect = Dialect.of(connection, "inbox");
    new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
    connection.setAutoCommit(true);
    store = new AttemptStore(dialect, TABLES);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aBegunAttemptIsLeftUntilItIsDeleted() throws SQLException {
    long one = begin("id-1", "a", false);
    long two = begin("id-1", "b", true);
    begin("id-2", "a", false);

    assertThat(left("id-1"))
        .extracting(Unended::node, Unended::alone)
        .containsExactlyInAnyOrder(tuple("a", false), tuple("b", true));
    assertThat(store.left(connection, "billing", "id-1")).isEmpty();
    store.delete(connection, List.of(one));
    assertThat(left("id-1")).extracting(Unended::node).containsExactly("b");
    store.delete(connection, List.of(one, two));
    assertThat(left("id-1")).isEmpty();
    assertThat(left("id-2")).hasSize(1);
  }

  @Test
  void itsSilenceIsThatSinceItWasRenewedByTheDatabasesClock() throws SQLException {
    long one = begin("id-1", "a", false);
    long two = begin("id-2", "a", false);
    age();
    assertThat(left("id-1").get(0).silentFor())
        .isBetween(Duration.ofMinutes(60), Duration.ofMinutes(65));

    store.renew(connection, List.of(one));

    assertThat(left("id-1").get(0).silentFor()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
    assertThat(left("id-2").get(0).silentFor()).isGreaterThan(Duration.ofMinutes(59));
    store.delete(connection, List.of(two));
  }

  @Test
  void aMessageIsClearedOfAllOfItsTries() throws SQLException {
    begin("id-1", "a", false);
    begin("id-1", "b", true);
    begin("id-2", "b", true);

    store.deleteAll(connection, "shipping", "id-1");

    assertThat(left("id-1")).isEmpty();
    assertThat(left("id-2")).hasSize(1);
  }

  @Test
  void attemptsSilentForLongAreForgotten() throws SQLException {
    begin("id-1", "a", false);
    age();
    begin("id-2", "a", false);

    store.forget(connection, Duration.ofDays(36_500));
    assertThat(left("id-1")).hasSize(1);
    store.forget(connection, Duration.ofMinutes(50));

    assertThat(left("id-1")).isEmpty();
    assertThat(left("id-2")).hasSize(1);
  }

  private long begin(String id, String node, boolean alone) throws SQLException {
    return store.insert(connection, "shipping", id, node, alone);
  }

  private List<Unended> left(String id) throws SQLException {
    return store.left(connection, "shipping", id);
  }

  private void age() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE inbox_attempt SET alive_at = alive_at - INTERVAL '1' HOUR");
    }
  }
}
