package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class InboxStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Fingerprint ONE = new Fingerprint(1, "11".repeat(32));
  private static final Fingerprint OTHER = new Fingerprint(1, "ee".repeat(32));

  @Parameter TestDatabase database;
  private String url;
  private Connection connection;
  private InboxStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(start, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(start);
      store = new InboxStore(dialect, TABLES);
    }
    connection = begin();
  }

  @AfterEach
  void close() throws SQLException {
    connection.rollback();
    connection.close();
  }

  @Test
  void theFirstDeliveryIsInsertedAndTheSecondIsNot() throws SQLException {
    assertThat(insert(connection, "shipping", "id-1", ONE)).isTrue();
    connection.commit();

    assertThat(insert(connection, "shipping", "id-1", OTHER)).isFalse();
    assertThat(store.fingerprintOf(connection, "shipping", "id-1")).contains(ONE);
    assertThat(store.fingerprintOf(connection, "shipping", "id-2")).isEmpty();
  }

  @Test
  void aDuplicateDoesNotAbortTheTransaction() throws SQLException {
    insert(connection, "shipping", "id-1", ONE);
    connection.commit();

    assertThat(insert(connection, "shipping", "id-2", ONE)).isTrue();
    assertThat(insert(connection, "shipping", "id-1", ONE)).isFalse();
    assertThat(insert(connection, "shipping", "id-3", ONE)).isTrue();
    connection.commit();

    assertThat(count("inbox_message")).isEqualTo(3);
  }

  @Test
  void aRolledBackIdIsForgotten() throws SQLException {
    insert(connection, "shipping", "id-1", ONE);
    connection.rollback();

    assertThat(insert(connection, "shipping", "id-1", ONE)).isTrue();
  }

  @Test
  void consumersRememberForThemselves() throws SQLException {
    assertThat(insert(connection, "shipping", "id-1", ONE)).isTrue();
    assertThat(insert(connection, "billing", "id-1", ONE)).isTrue();
  }

  @Test
  void idsAndConsumersCompareByteByByte() throws SQLException {
    for (String text : List.of("a1", "A1", "a1 ", "\u00e0", "a\u0300", "\uff41", "\u00df", "ss")) {
      assertThat(insert(connection, "shipping", text, ONE)).as(text).isTrue();
      assertThat(insert(connection, text, "id", ONE)).as(text).isTrue();
    }
  }

  @Test
  void theLongestValuesFit() throws SQLException {
    String consumer = "c".repeat(100);
    String id = "i".repeat(200);

    assertThat(insert(connection, consumer, id, ONE)).isTrue();
    assertThat(store.fingerprintOf(connection, consumer, id)).contains(ONE);
  }

  @Test
  void aConcurrentCopyWaitsAndIsNoneAfterTheCommit() throws Exception {
    insert(connection, "shipping", "id-1", ONE);

    Future<Boolean> copy = insertElsewhere("shipping", "id-1");
    connection.commit();

    assertThat(copy.get(20, TimeUnit.SECONDS)).isFalse();
    assertThat(count("inbox_message")).isEqualTo(1);
  }

  @Test
  void aConcurrentCopyWaitsAndIsInsertedAfterTheRollback() throws Exception {
    insert(connection, "shipping", "id-1", ONE);

    Future<Boolean> copy = insertElsewhere("shipping", "id-1");
    connection.rollback();

    assertThat(copy.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(count("inbox_message")).isEqualTo(1);
  }

  @Test
  void otherFailuresOfTheInsertAreNotTakenForDuplicates() {
    assertThatThrownBy(() -> insert(connection, "shipping", "i".repeat(201), ONE))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void theRowTellsWhereTheMessageCameFrom() throws SQLException {
    insert(connection, "shipping", "id-1", ONE);

    assertThat(
            row(
                """
                SELECT source, headers, fingerprint_version, received_at IS NOT NULL,
                       processed_at IS NOT NULL
                FROM inbox_message
                """))
        .containsExactly("shop", "{\"JMSType\":\"OrderPlaced\"}", "1", "true", "true");
  }

  @Test
  void aRowIsDescribedLater() throws SQLException {
    insert(connection, "shipping", "id-1", ONE);

    assertThat(store.describe(connection, "shipping", "id-1", "{\"a\":\"b\"}")).isTrue();
    assertThat(store.describe(connection, "shipping", "id-2", "{}")).isFalse();
    assertThat(row("SELECT headers FROM inbox_message")).containsExactly("{\"a\":\"b\"}");
  }

  @Test
  void theTablesCanBePinged() throws SQLException {
    Sql.execute(connection, Dialect.of(connection, "inbox").tryToWrite("postbox_schema", "inbox"));
  }

  private boolean insert(Connection on, String consumer, String id, Fingerprint fingerprint)
      throws SQLException {
    Delivery delivery = TestDelivery.of(id).to(consumer).with(fingerprint).delivery();
    return store.insertIfAbsent(on, delivery, id, Outcome.PROCESSED);
  }

  /** Inserts on a connection of its own, and returns when that one waits. */
  private Future<Boolean> insertElsewhere(String consumer, String id) throws SQLException {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Boolean> inserted =
        thread.submit(
            () -> {
              try (Connection other = begin()) {
                boolean result = insert(other, consumer, id, ONE);
                other.commit();
                return result;
              }
            });
    thread.shutdown();
    try (Connection observer = TestDatabase.connect(url)) {
      await().until(() -> database.waitingSessions(observer) == 1);
    }
    assertThat(inserted).isNotDone();
    return inserted;
  }

  private Connection begin() throws SQLException {
    Connection begun = TestDatabase.connect(url);
    begun.setAutoCommit(false);
    return begun;
  }

  private long count(String table) throws SQLException {
    return Long.parseLong(row("SELECT COUNT(*) FROM " + table).get(0));
  }

  private List<String> row(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        Object value = rows.getObject(i);
        values.add(String.valueOf(value));
      }
      return values;
    }
  }
}
