package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static io.postbox.outbox.store.StoreFixture.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.common.config.TableNames;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimStoreTest {
  @ParameterizedTest
  @EnumSource
  void aClaimIsExclusiveUntilItsTransactionEnds(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection one = store.begin();
        Connection other = store.begin()) {
      assertThat(store.relay.claim(one, PARTITION)).hasValue(0L);
      assertThat(store.relay.claim(other, PARTITION)).isEmpty();
      assertThat(store.relay.claim(other, PARTITION + 1)).as("another partition").hasValue(0L);
      one.commit();
      assertThat(store.relay.claim(other, PARTITION)).hasValue(0L);
      assertThat(store.relay.claim(one, PARTITION)).isEmpty();
      other.rollback();
      assertThat(store.relay.claim(one, PARTITION)).hasValue(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimEndsWithItsConnection(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection other = store.begin()) {
      try (Connection lost = store.begin()) {
        assertThat(store.relay.claim(lost, PARTITION)).hasValue(0L);
      }
      await().until(() -> store.relay.claim(other, PARTITION).isPresent());
    }
  }

  /**
   * As when a machine is lost: its end of the connection is gone, and nobody tells the database.
   */
  @Test
  void postgresEndsAClaimOfWhichItHearsNothingMore() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    ClaimStore impatient =
        new ClaimStore(
            TestDatabase.POSTGRESQL.dialect(),
            new TableNames("shop", "pb_"),
            AfterSending.DELETE,
            Duration.ofMillis(200),
            "");
    try (Connection silent = store.begin();
        Connection other = store.begin()) {
      assertThat(impatient.claim(silent, PARTITION)).isPresent();
      assertThat(store.relay.claim(other, PARTITION)).isEmpty();
      await().until(() -> store.relay.claim(other, PARTITION).isPresent());

      other.rollback();
      assertThatThrownBy(silent::commit).isInstanceOf(SQLException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void thereIsNoClaimOnAPartitionThatDoesNotExist(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection connection = store.begin()) {
      assertThat(store.relay.claim(connection, 16)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void enqueuingDoesNotWaitForTheClaim(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    try (Connection relay = store.begin()) {
      store.relay.claim(relay, PARTITION);
      Envelope meanwhile = store.insert("d", "k");
      assertThat(store.relay.read(relay, lane("d"), 0, 10).messages())
          .as("and what commits after the claim is read by the second statement")
          .extracting(StoredMessage::envelope)
          .containsExactly(meanwhile);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theMessagesOfALaneAreReadInOrderUpToTheLimit(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<Envelope> all =
        List.of(store.insert("d", "k"), store.insert("d", null), store.insert("d", "k"));
    store.insert("e", "k");

    assertThat(store.due()).extracting(StoredMessage::envelope).isEqualTo(all);
    try (Connection connection = store.begin()) {
      Batch two = store.relay.read(connection, lane("d"), 0, 2);
      assertThat(two.messages()).extracting(StoredMessage::envelope).isEqualTo(all.subList(0, 2));
      assertThat(two.full()).isTrue();
      Batch rest = store.relay.read(connection, lane("d"), two.messages().get(1).seq(), 2);
      assertThat(rest.messages()).extracting(StoredMessage::envelope).isEqualTo(all.subList(2, 3));
      assertThat(rest.full()).isFalse();
      assertThat(store.relay.read(connection, new Lane(PARTITION + 1, "d"), 0, 10).messages())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBatchHoldsABoundedAmountHoweverManyMessagesThatAre(TestDatabase database)
      throws SQLException {
    StoreFixture store = new StoreFixture(database);
    String large = "x".repeat(1 << 16);
    try (Connection connection = store.begin()) {
      for (int i = 0; i < 20; i++) {
        Envelope envelope = StoreFixture.text(UUID.randomUUID(), "d", null, large);
        store.messages.insert(connection, StoreFixture.prepared(envelope));
      }
      connection.commit();
    }
    try (Connection connection = store.begin()) {
      Batch batch = store.relay.read(connection, lane("d"), 0, 1_000);
      assertThat(batch.messages()).as("their headers count, too").hasSize(15);
      assertThat(batch.full()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsReadOfAPausedDestination(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("d", "k");
    for (String paused : List.of("d", "*")) {
      store.rows.execute(
          "INSERT INTO shop.pb_outbox_switch (destination, reason, principal) VALUES ('%s', 'x', 'me')"
              .formatted(paused));
      assertThat(store.due()).isEmpty();
      store.rows.execute("DELETE FROM shop.pb_outbox_switch");
    }
    store.rows.execute(
        "INSERT INTO shop.pb_outbox_switch (destination, reason, principal) VALUES ('e', 'x',"
            + " 'me')");
    assertThat(store.due()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void messagesPutBackAreNotedOnThePartition(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope head = store.insert("d", "k");
    HeldKey key = new HeldKey("d", "k", head.id());
    store.holdKey(key);
    try (Connection connection = store.begin()) {
      store.relay.claim(connection, PARTITION);
      store.relay.releaseKeys(connection, PARTITION, List.of());
      store.relay.releaseKeys(connection, PARTITION, List.of(key));
      connection.commit();
      assertThat(store.relay.claim(connection, PARTITION)).hasValue(1L);
      assertThat(store.relay.claim(connection, PARTITION + 1)).hasValue(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void completingTellsHowManyThereWere(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    for (int i = 0; i < 300; i++) {
      store.insert("d", null);
    }
    List<Long> seqs = store.due().stream().map(StoredMessage::seq).toList();
    try (Connection connection = store.begin()) {
      Lane lane = StoreFixture.lane("d");
      assertThat(store.relay.complete(connection, new Lane(PARTITION + 1, "d"), seqs)).isZero();
      assertThat(store.relay.complete(connection, StoreFixture.lane("e"), seqs)).isZero();
      assertThat(store.relay.complete(connection, lane, seqs.subList(0, 299))).isEqualTo(299);
      assertThat(store.relay.complete(connection, lane, List.of(seqs.get(299), seqs.get(0))))
          .as("one of them is missing")
          .isEqualTo(1);
      connection.commit();
    }
    assertThat(store.rows.messages()).isEmpty();
  }
}
