package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ops.Part;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.SchemaException;
import io.postbox.common.testing.DataSources;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutboxDatabaseTest {

  /** A server may tell of a deployment that failed in words of its own, and of us no more. */
  @Test
  void tablesThatAreMissingHaveTheirLineInTheLogOnce() {
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.withoutCreatingTables().config(),
            TestDatabase.H2.fresh(),
            new TransactionTrial(Optional::empty));
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      assertThatThrownBy(database::prepare).isInstanceOf(SchemaException.class);
      assertThat(database.prepare()).isFalse();

      assertThat(lines.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0011 The outbox's table postbox_schema cannot be read (")
          .contains("create-tables=true");
    }
    assertThat(database.isReady()).isFalse();
    assertThat(database.problem()).contains("cannot");
  }

  /** As dataSource transactional="false" makes one: it looks well until something rolls back. */
  @ParameterizedTest
  @EnumSource
  void aDataSourceThatTakesNoPartInTransactionsIsRefused(TestDatabase kind) {
    DataSource dataSource = kind.fresh();
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.config(),
            dataSource,
            new TransactionTrial(() -> Optional.of(meaningless())));

    assertThatThrownBy(database::prepare)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("takes no part in the server's transactions")
        .hasMessageContaining("Let the data source take part in transactions,");

    assertThat(database.prepare()).isFalse();
    assertThatThrownBy(database::dialect).hasMessageContaining("nothing was written");
    assertThat(new Rows(dataSource, TestConfig.DEFAULT.tables()).count("postbox_schema"))
        .as("the row is removed")
        .isEqualTo(1);
  }

  @Test
  void aConnectorNeedsADatabaseWithReplicationSlots() {
    DataSource dataSource = TestDatabase.H2.fresh();
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.withCdc().config(),
            dataSource,
            new TransactionTrial(Optional::empty));

    assertThatThrownBy(database::prepare)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("postbox.outbox.relay.mode=cdc needs PostgreSQL")
        .hasMessageContaining("is H2");
    assertThat(database.prepare()).isFalse();
  }

  @Test
  void whereNoTransactionCanBeBegunNothingIsSaid() {
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.config(),
            TestDatabase.H2.fresh(),
            new TransactionTrial(Optional::empty));

    assertThat(database.prepare()).isTrue();
  }

  @Test
  void aPartIsBuiltOnceAndNotBeforeTheTablesAreInOrder() {
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.config(),
            TestDatabase.H2.fresh(),
            new TransactionTrial(Optional::empty));
    Part<Object> part = database.whenReady(dialect -> new Object());

    assertThatThrownBy(part::get).hasMessageContaining("is not ready");
    assertThat(part.ifBuilt()).isEmpty();

    assertThat(database.prepare()).isTrue();
    assertThat(part.get()).isSameAs(part.get());
    assertThat(part.ifBuilt()).contains(part.get());
  }

  @Test
  void healthSaysInFixedWordsWhatIsWrong() {
    DataSource works = TestDatabase.H2.fresh();
    AtomicReference<String> state = new AtomicReference<>("");
    DataSource fails =
        DataSources.of(
            () -> {
              if (!state.get().isEmpty()) {
                throw new SQLException("secret", state.get());
              }
              return works.getConnection();
            });
    OutboxDatabase database =
        new OutboxDatabase(
            TestConfig.DEFAULT.config(), fails, new TransactionTrial(Optional::empty));

    assertThat(database.findProblem()).contains("the tables have not been checked yet");
    database.prepare();
    assertThat(database.findProblem()).isEmpty();
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      state.set("08006");
      assertThat(database.findProblem())
          .contains(
              "the database does not work, so nothing can be enqueued; the log says why (OBX0063)");
      state.set("25006");
      assertThat(database.findProblem())
          .contains(
              "the database is read-only, so nothing can be enqueued; the log says more (OBX0063)");
      state.set("");
      assertThat(database.findProblem()).isEmpty();
      assertThat(lines.lines())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("OBX0063", "OBX0064");
    }
  }

  private static UserTransaction meaningless() {
    return (UserTransaction)
        Proxy.newProxyInstance(
            OutboxDatabaseTest.class.getClassLoader(),
            new Class<?>[] {UserTransaction.class},
            (proxy, method, arguments) -> null);
  }
}
