package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.DataSources;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.PayloadEncoders;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JtaOutboxTest {
  private final Map<Object, Object> resources = new HashMap<>();
  private final Map<String, Integer> enqueued = new HashMap<>();
  private @Nullable Synchronization synchronization;
  private boolean takesSynchronizations = true;
  private int status = Status.STATUS_ACTIVE;

  /** As a transaction manager may that has begun to complete the transaction. */
  @ParameterizedTest
  @EnumSource
  void whereTheEndOfTheTransactionCannotBeLearntNothingIsWrittenNorCommitted(TestDatabase database)
      throws SQLException {
    DataSource source = withTables(database);
    takesSynchronizations = false;
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      JtaOutbox outbox = outbox(database, connection);
      for (int i = 0; i < 2; i++) {
        status = Status.STATUS_ACTIVE;
        assertThatThrownBy(() -> outbox.enqueue(OutboxMessage.to("d").text("x")))
            .isInstanceOf(OutboxException.class)
            .hasMessageContaining("completing")
            .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(status).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
      }
      connection.commit(); // of a caller that does not mind
    }

    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM outbox_message")) {
      rows.next();
      assertThat(rows.getInt(1)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aListWithAKnownIdCannotBeCommittedInPart(TestDatabase database) throws SQLException {
    DataSource source = withTables(database);
    OutboxMessage known = OutboxMessage.to("d").text("x").id(UUID.randomUUID());
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      JtaOutbox outbox = outbox(database, connection);
      outbox.enqueue(known);

      assertThatThrownBy(() -> outbox.enqueueAll(List.of(OutboxMessage.to("d").text("new"), known)))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageStartingWith("Message 2 of 2: ")
          .hasMessageContaining("marked for rollback")
          .hasMessageNotContaining("still usable");
    }

    assertThat(status).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
  }

  @ParameterizedTest
  @EnumSource
  void aSingleMessageWithAKnownIdLeavesTheTransactionUsable(TestDatabase database)
      throws SQLException {
    DataSource source = withTables(database);
    OutboxMessage known = OutboxMessage.to("d").text("x").id(UUID.randomUUID());
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      JtaOutbox outbox = outbox(database, connection);
      outbox.enqueue(known);

      assertThatThrownBy(() -> outbox.enqueue(known))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining("still usable");
      connection.commit();
    }

    assertThat(status).isEqualTo(Status.STATUS_ACTIVE);
    synchronization.afterCompletion(Status.STATUS_COMMITTED);
    assertThat(enqueued).isEqualTo(Map.of("d", 1));
  }

  private static DataSource withTables(TestDatabase database) throws SQLException {
    DataSource source = database.fresh();
    try (Connection connection = source.getConnection()) {
      new Schema(database.dialect(), TestConfig.DEFAULT.config()).prepare(connection);
    }
    return source;
  }

  private JtaOutbox outbox(TestDatabase database, Connection connection) {
    Enqueuer enqueuer =
        new Enqueuer(
            new MessageStore(database.dialect(), TestConfig.DEFAULT.tables()),
            InstantSource.system(),
            16,
            PayloadEncoders.plain(1 << 20, String::valueOf));
    return new JtaOutbox(
        registry(),
        source(connection),
        () -> enqueuer,
        () -> {},
        message -> message,
        new AfterCommit() {
          @Override
          public void wake(Set<Lane> lanes, Optional<Duration> firstDelay) {}

          @Override
          public void enqueued(Map<String, Integer> messages) {
            enqueued.putAll(messages);
          }
        });
  }

  private TransactionSynchronizationRegistry registry() {
    return (TransactionSynchronizationRegistry)
        Proxy.newProxyInstance(
            JtaOutboxTest.class.getClassLoader(),
            new Class<?>[] {TransactionSynchronizationRegistry.class},
            (self, method, with) ->
                switch (method.getName()) {
                  case "getTransactionStatus" -> status;
                  case "setRollbackOnly" -> status = Status.STATUS_MARKED_ROLLBACK;
                  case "getResource" -> resources.get(with[0]);
                  case "putResource" -> resources.put(with[0], with[1]);
                  case "registerInterposedSynchronization" -> register((Synchronization) with[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Synchronization register(Synchronization wakeUp) {
    if (!takesSynchronizations) {
      throw new IllegalStateException("the transaction is completing");
    }
    synchronization = wakeUp;
    return wakeUp;
  }

  /** Hands out the transaction's connection, which closing leaves open. */
  private static DataSource source(Connection connection) {
    Connection kept =
        (Connection)
            Proxy.newProxyInstance(
                JtaOutboxTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, with) ->
                    method.getName().equals("close") ? null : method.invoke(connection, with));
    return DataSources.of(() -> kept);
  }
}
