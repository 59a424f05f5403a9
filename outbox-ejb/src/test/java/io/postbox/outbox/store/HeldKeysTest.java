package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.ClaimStore.Hold;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeldKeysTest {
  @ParameterizedTest
  @EnumSource
  void headsAndFollowersOfAHeldKeyAreReadAsSuch(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope head = store.insert("d", "k");
    store.insert("d", "k");
    store.insert("d", "other");
    store.insert("e", "k");
    store.insert("d", null);
    store.holdKey(new HeldKey("d", "k", head.id()));
    store.insert("d", "k");

    assertThat(store.due())
        .extracting(StoredMessage::isHead)
        .containsExactly(true, false, false, false, false);
    assertThat(store.due())
        .extracting(StoredMessage::isFollower)
        .containsExactly(false, true, false, false, true);
  }

  @ParameterizedTest
  @EnumSource
  void keysAndDestinationsCompareByteByByte(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope head = store.insert("d", "A1");
    for (String other : List.of("a1", "A1 ", " A1", "Á1")) {
      store.insert("d", other);
    }
    store.insert("D", "A1");
    store.holdKey(new HeldKey("d", "A1", head.id()));

    assertThat(store.due()).noneMatch(StoredMessage::isFollower);
    assertThat(store.due("D")).hasSize(1).noneMatch(StoredMessage::isFollower);
  }

  @ParameterizedTest
  @EnumSource
  void heldMessagesAreNotReadUntilTheirKeyIsReleased(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope head = store.insert("d", "k");
    Envelope follower = store.insert("d", "k");
    Envelope other = store.insert("d", "other");
    List<Long> seqs = store.due().stream().map(StoredMessage::seq).toList();
    HeldKey key = new HeldKey("d", "k", head.id());
    store.holdKey(key);
    try (Connection connection = store.begin()) {
      assertThat(store.relay.hold(connection, StoreFixture.lane("d"), List.of(seqs.get(1))))
          .isEqualTo(1);
      connection.commit();
    }
    assertThat(store.dueIds()).containsExactly(head.id(), other.id());
    assertThat(store.rows.messages())
        .extracting(Row::status)
        .containsExactly("PENDING", "HELD", "PENDING");

    try (Connection connection = store.begin()) {
      store.relay.releaseKeys(connection, PARTITION, List.of(key));
      connection.commit();
    }
    assertThat(store.dueIds()).containsExactly(head.id(), follower.id(), other.id());
    assertThat(store.due()).allMatch(it -> it.heldBy() == null);
    assertThat(store.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void releasingAKeyLeavesOtherKeysAndDeadLettersAlone(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope head = store.insert("d", "k");
    Envelope otherHead = store.insert("d", "other");
    store.insert("d", "other");
    List<StoredMessage> due = store.due();
    List<Long> seqs = due.stream().map(StoredMessage::seq).toList();
    store.fail(StoreFixture.failure(due.get(0), true, Duration.ZERO, "x"));
    store.holdKey(new HeldKey("d", "k", head.id()));
    store.holdKey(new HeldKey("d", "other", otherHead.id()));
    try (Connection connection = store.begin()) {
      store.relay.hold(connection, StoreFixture.lane("d"), List.of(seqs.get(2)));
      store.relay.releaseKeys(connection, PARTITION, List.of(new HeldKey("d", "k", head.id())));
      connection.commit();
    }
    assertThat(store.rows.messages())
        .extracting(Row::status)
        .containsExactly("DEAD", "PENDING", "HELD");
    assertThat(store.rows.count("outbox_held_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void heldKeysAreFoundByteByByteAndInTheirLaneOnly(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    HeldKey held = new HeldKey("d", "A1", store.insert("d", "A1").id());
    store.holdKey(held);
    store.holdKey(new HeldKey("d", "free", store.insert("d", "free").id()));
    store.holdKey(new HeldKey("e", "a1", store.insert("e", "a1").id()));
    try (Connection connection = store.begin()) {
      assertThat(
              store.relay.heldKeys(connection, StoreFixture.lane("d"), List.of("A1", "a1", "A1 ")))
          .containsExactly(new Hold(held, 0));
      assertThat(store.relay.heldKeys(connection, StoreFixture.lane("d"), List.of())).isEmpty();
      connection.rollback();
    }
  }
}
