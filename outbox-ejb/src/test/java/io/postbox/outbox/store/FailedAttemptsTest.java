package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static io.postbox.outbox.store.StoreFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.common.log.RecordedError;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailedAttemptsTest {
  @ParameterizedTest
  @EnumSource
  void aFailedMessageIsNotDueBeforeItsBackoffIsOver(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope failed = store.insert("d", null);
    Envelope other = store.insert("d", null);
    store.fail(failure(store.due().get(0), false, Duration.ofHours(1), "why"));

    assertThat(store.dueIds()).containsExactly(other.id());
    store.rows.makeDue();
    List<StoredMessage> due = store.due();
    assertThat(due).extracting(it -> it.envelope().id()).containsExactly(failed.id(), other.id());
    assertThat(due.get(0).attempts()).isEqualTo(1);
    assertThat(store.rows.messages().get(0).lastError()).isEqualTo("why");
  }

  @ParameterizedTest
  @EnumSource
  void attemptsAreCounted(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    StoredMessage message = store.due().get(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      store.rows.makeDue();
      assertThat(store.fail(failure(message, false, Duration.ZERO, "why " + attempt))).isEqualTo(1);
      Row row = store.rows.messages().get(0);
      assertThat(row.attempts()).isEqualTo(attempt);
      assertThat(row.lastError()).isEqualTo("why " + attempt);
    }
    assertThat(store.fail(failure(Messages.message(999, "d", null), false, Duration.ZERO, "x")))
        .as("no such message")
        .isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theLastErrorHasItsSignature(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    StoredMessage message = store.due().get(0);
    store.fail(failure(message, false, Duration.ZERO, "refused 7"));
    store.rows.makeDue();
    store.fail(failure(message, true, Duration.ZERO, "rolled back at commit"));

    assertThat(store.rows.countMessages("signature = '010b20fca3e9bcbea597752fef74561f'"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterIsKeptAndNotReadAgain(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    store.fail(failure(store.due().get(0), true, Duration.ZERO, "why"));

    assertThat(store.dueIds()).isEmpty();
    Row row = store.rows.messages().get(0);
    assertThat(row.status()).isEqualTo("DEAD");
    assertThat(row.attempts()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void theLongestErrorFits(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    String error = "é".repeat(1_000);
    store.fail(failure(store.due().get(0), false, Duration.ofDays(1), error));

    assertThat(store.rows.messages().get(0).lastError()).isEqualTo(error);
  }

  @ParameterizedTest
  @EnumSource
  void besideACipherTheErrorIsNotInTheTableInTheClear(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    StoredMessage message = store.due().get(0);
    String error = "é".repeat(1_000);
    StoredErrors errors = new StoredErrors(Optional.of(new SampleCipher("k")));
    ClaimStore relay =
        new ClaimStore(
            database.dialect(),
            store.rows.tables(),
            AfterSending.DELETE,
            Duration.ofMinutes(1),
            "a node");
    try (Connection connection = store.begin()) {
      relay.claim(connection, PARTITION);
      Failure failure = failure(message, true, Duration.ZERO, error);
      relay.fail(
          connection,
          PARTITION,
          List.of(failure),
          Map.of(failure.error(), errors.seal("d", failure.error())));
      connection.commit();
    }

    String stored = store.rows.messages().get(0).lastError();
    assertThat(stored).startsWith("sealed:").doesNotContain("é");
    assertThat(errors.openOrTell("d", RecordedError.of(error).signature(), stored))
        .isEqualTo(error);
  }

  @ParameterizedTest
  @EnumSource
  void theBackoffCountsFromTheFailureAndNotFromTheClaim(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    StoredMessage message = store.due().get(0);
    OffsetDateTime before;
    try (Connection connection = store.begin()) {
      store.relay.claim(connection, PARTITION);
      store.relay.read(connection, StoreFixture.lane("d"), 0, 10);
      OffsetDateTime claimed = store.clock();
      await().until(() -> store.clock().isAfter(claimed.plus(Duration.ofMillis(20))));
      before = store.clock();
      Failure failure = failure(message, false, Duration.ZERO, "x");
      store.relay.fail(connection, PARTITION, List.of(failure), Map.of(failure.error(), "x"));
      connection.commit();
    }
    assertThat(store.time("SELECT due_at FROM shop.pb_outbox_message"))
        .isAfterOrEqualTo(before.minus(Duration.ofMillis(1)));
  }
}
