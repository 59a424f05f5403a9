package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static io.postbox.outbox.store.StoreFixture.lane;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PollStoreTest {
  private static Poll poll(StoreFixture store) throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return store.polls.poll(connection);
    }
  }

  private static Woken wake(StoreFixture store) throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return store.polls.wakeDelayed(connection);
    }
  }

  private static void insertAt(StoreFixture store, Lane lane, Instant notBefore)
      throws SQLException {
    try (Connection connection = store.begin()) {
      store.messages.insert(
          connection,
          new NewMessage(
              lane.partition(),
              StoreFixture.text(UUID.randomUUID(), lane.destination(), null, "x"),
              notBefore,
              null));
      connection.commit();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyLaneWithSomethingToSendIsFoundOnce(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    assertThat(poll(store)).isEqualTo(new Poll(List.of(), Optional.empty(), Set.of()));
    for (String destination : new String[] {"b", "a", "c", "b", "Z", "ä"}) {
      store.insert(destination, "k");
    }
    try (Connection connection = store.begin()) {
      store.messages.insert(
          connection,
          new NewMessage(15, StoreFixture.text(UUID.randomUUID(), "b", "k", "x"), null, null));
      connection.commit();
    }
    assertThat(poll(store).lanes())
        .containsExactlyInAnyOrder(
            lane("a"), lane("b"), lane("c"), lane("Z"), lane("ä"), new Lane(15, "b"));
  }

  @ParameterizedTest
  @EnumSource
  void heldDelayedSentOrDeadMessagesAreNoWork(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", "k");
    for (String status : new String[] {"HELD", "DELAYED", "SENT", "DEAD"}) {
      store.rows.execute("UPDATE shop.pb_outbox_message SET status = '%s'".formatted(status));
      assertThat(poll(store).lanes()).as(status).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pausedDestinationsAreListedAndAreNoWork(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", "k");
    store.insert("e", "k");
    String pause =
        "INSERT INTO shop.pb_outbox_switch (destination, reason, principal) VALUES ('%s', 'x',"
            + " 'me')";
    store.rows.execute(pause.formatted("d"));
    assertThat(poll(store).lanes()).containsExactly(lane("e"));
    assertThat(poll(store).paused()).containsExactly("d");
    store.rows.execute(pause.formatted("*"));
    assertThat(poll(store).lanes()).isEmpty();
    assertThat(poll(store).paused()).containsExactlyInAnyOrder("d", "*");
  }

  @ParameterizedTest
  @EnumSource
  void aDelayedMessageGoesToWorkWhenDueAndNotBefore(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    insertAt(store, lane("d"), Instant.now().plus(Duration.ofHours(2)));
    insertAt(store, lane("e"), Instant.now().plus(Duration.ofHours(1)));
    assertThat(poll(store).nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(50), Duration.ofMinutes(60));
    assertThat(wake(store).lanes()).isEmpty();
    assertThat(wake(store).nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(50), Duration.ofMinutes(60));
    assertThat(poll(store).lanes()).isEmpty();

    insertAt(store, lane("f"), Instant.now().plus(Duration.ofHours(1)));
    store.rows.execute(
        "UPDATE shop.pb_outbox_message SET due_at = created_at WHERE destination = 'f'");
    assertThat(poll(store).nextDue().orElseThrow()).isNegative();
    Woken woken = wake(store);
    assertThat(woken.lanes()).containsExactly(lane("f"));
    assertThat(woken.nextDue().orElseThrow()).isPositive();
    assertThat(poll(store).lanes()).containsExactly(lane("f"));
    assertThat(poll(store).nextDue().orElseThrow()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void aBoundedNumberGoesToWorkAtOnce(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection connection = store.begin()) {
      for (int i = 0; i < 1_500; i++) {
        store.messages.insert(
            connection,
            new NewMessage(
                i % 16,
                StoreFixture.text(UUID.randomUUID(), "d", null, "x"),
                Instant.now().plus(Duration.ofHours(1)),
                null));
      }
      connection.commit();
    }
    store.rows.execute("UPDATE shop.pb_outbox_message SET due_at = created_at");
    Woken first = wake(store);
    assertThat(first.lanes()).hasSize(16);
    assertThat(first.nextDue()).as("there may be more").contains(Duration.ZERO);
    assertThat(store.rows.messages().stream().map(Row::status).filter("PENDING"::equals))
        .hasSize(1_000);
    assertThat(wake(store).nextDue()).isEmpty();
    assertThat(store.rows.messages()).extracting(Row::status).containsOnly("PENDING");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatFailedIsDelayed(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", null);
    store.fail(StoreFixture.failure(store.due().get(0), false, Duration.ofHours(1), "why"));
    assertThat(poll(store).lanes()).isEmpty();
    assertThat(poll(store).nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
  }

  @ParameterizedTest
  @EnumSource
  void theFirstMessageOfALaneIsFound(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection connection = store.dataSource.getConnection()) {
      assertThat(store.polls.first(connection, lane("d"))).isEmpty();
      store.insert("d", "k");
      store.insert("d", "k");
      assertThat(store.polls.first(connection, lane("d"))).hasValue(store.due().get(0).seq());
      assertThat(store.polls.first(connection, new Lane(PARTITION + 1, "d"))).isEmpty();
    }
  }
}
