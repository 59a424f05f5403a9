package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RelayStoreTest {
  @ParameterizedTest
  @EnumSource
  void aClaimIsExclusiveUntilItsTransactionEnds(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection one = store.begin();
        Connection other = store.begin()) {
      assertThat(store.relay.claim(one, PARTITION)).isTrue();
      assertThat(store.relay.claim(other, PARTITION)).isFalse();
      assertThat(store.relay.claim(other, PARTITION + 1)).as("another partition").isTrue();
      one.commit();
      assertThat(store.relay.claim(other, PARTITION)).isTrue();
      assertThat(store.relay.claim(one, PARTITION)).isFalse();
      other.rollback();
      assertThat(store.relay.claim(one, PARTITION)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimEndsWithItsConnection(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection other = store.begin()) {
      try (Connection lost = store.begin()) {
        assertThat(store.relay.claim(lost, PARTITION)).isTrue();
      }
      await().until(() -> store.relay.claim(other, PARTITION));
    }
  }

  @ParameterizedTest
  @EnumSource
  void thereIsNoClaimOnAPartitionThatDoesNotExist(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection connection = store.begin()) {
      assertThat(store.relay.claim(connection, 16)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void enqueuingDoesNotWaitForTheClaim(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection relay = store.begin()) {
      store.relay.claim(relay, PARTITION);
      Envelope meanwhile = store.insert("d", "k");
      assertThat(store.relay.readDue(relay, PARTITION, Set.of(), 10))
          .as("and what commits after the claim is read by the second statement")
          .extracting(StoredMessage::envelope)
          .containsExactly(meanwhile);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dueMessagesAreReadInOrderUpToTheLimit(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<Envelope> all =
        List.of(
            store.insert("b", "k"),
            store.insert("a", null),
            store.insert("b", "k"),
            store.insert("c", "j"));

    assertThat(store.due()).extracting(StoredMessage::envelope).isEqualTo(all);
    try (Connection connection = store.begin()) {
      assertThat(store.relay.readDue(connection, PARTITION, Set.of(), 2))
          .extracting(StoredMessage::envelope)
          .isEqualTo(all.subList(0, 2));
      assertThat(store.relay.readDue(connection, PARTITION + 1, Set.of(), 10)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void blockedDestinationsAreNotRead(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("down", "k");
    Envelope good = store.insert("d", "k");

    assertThat(store.dueIds("down", "other")).containsExactly(good.id());
    assertThat(store.dueIds("down", "d")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void partitionsWithWorkAreThoseWithSomethingDue(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection connection = store.dataSource.getConnection()) {
      assertThat(store.relay.partitionsWithWork(connection, Set.of())).isEmpty();
      store.insert("d", "k");
      assertThat(store.relay.partitionsWithWork(connection, Set.of())).containsExactly(PARTITION);
      assertThat(store.relay.partitionsWithWork(connection, Set.of("d"))).isEmpty();
      store.rows.execute("UPDATE shop.pb_outbox_message SET status = 'HELD'");
      assertThat(store.relay.partitionsWithWork(connection, Set.of())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void deletingTellsHowManyThereWere(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    for (int i = 0; i < 300; i++) {
      store.insert("d", null);
    }
    List<Long> seqs = store.due().stream().map(StoredMessage::seq).toList();
    try (Connection connection = store.begin()) {
      assertThat(store.relay.delete(connection, PARTITION + 1, seqs)).isZero();
      assertThat(store.relay.delete(connection, PARTITION, seqs.subList(0, 299))).isEqualTo(299);
      long[] missing = LongStream.of(seqs.get(0), seqs.get(299)).toArray();
      assertThat(store.relay.delete(connection, PARTITION, LongStream.of(missing).boxed().toList()))
          .isEqualTo(1);
      connection.commit();
    }
    assertThat(store.rows.messages()).isEmpty();
  }
}
