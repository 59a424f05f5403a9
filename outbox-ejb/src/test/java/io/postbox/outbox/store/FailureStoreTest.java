package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The histories of failing messages, and the groups of their failures. */
class FailureStoreTest {
  private static final RecordedError REFUSED =
      new RecordedError(
          "refused: AMQ229032", "jakarta.jms.JMSException", "com.shop.Loader.load(L.java:7)", "aa");
  private static final RecordedError TOO_LARGE = new RecordedError("too large", "", "", "bb");

  /** A message that fails under one name after another. */
  private static final class Fixture {
    final StoreFixture store;
    final TestDatabase database;
    private final Optional<SampleCipher> cipher;

    Fixture(TestDatabase database) throws SQLException {
      this(database, Optional.empty());
    }

    Fixture(TestDatabase database, Optional<SampleCipher> cipher) throws SQLException {
      this.database = database;
      this.cipher = cipher;
      store = new StoreFixture(database);
    }

    StoredMessage enqueued() throws SQLException {
      store.insert("d", null);
      List<StoredMessage> due = store.due();
      return due.get(due.size() - 1);
    }

    StoredErrors errors() {
      return new StoredErrors(cipher.map(it -> it));
    }

    ClaimStore node(String name) {
      return new ClaimStore(
          database.dialect(),
          store.rows.tables(),
          AfterSending.DELETE,
          Duration.ofMinutes(1),
          name);
    }

    void fail(String node, Failure... failures) throws SQLException {
      try (Connection connection = store.begin()) {
        fail(connection, node, Arrays.asList(failures));
        connection.commit();
      }
      store.rows.makeDue();
    }

    int fail(Connection connection, String node, List<Failure> failures) throws SQLException {
      Map<RecordedError, String> texts = new HashMap<>();
      failures.forEach(it -> texts.put(it.error(), errors().seal("d", it.error())));
      return node(node).fail(connection, PARTITION, failures, texts);
    }

    List<FailedAttempt> history(UUID id) throws SQLException {
      try (Connection connection = store.begin()) {
        return views(errors()).history(connection, id);
      }
    }

    FailureViews views(StoredErrors errors) {
      return new FailureViews(database.dialect(), store.rows.tables(), errors);
    }

    List<FailureGroup> groups(String after, int limit) throws SQLException {
      try (Connection connection = store.begin()) {
        return views(errors()).groups(connection, after, limit);
      }
    }
  }

  private static Failure failure(StoredMessage message, boolean dead, RecordedError error) {
    return new Failure(message, 1, dead, Duration.ZERO, error);
  }

  private static UUID id(StoredMessage message) {
    return message.envelope().id();
  }

  private static StoredMessage after(int attempts, StoredMessage message) {
    return new StoredMessage(
        message.seq(), message.envelope(), attempts, Instant.EPOCH, Duration.ZERO, null, null);
  }

  @ParameterizedTest
  @EnumSource
  void eachFailureIsOnRecordWithWhereWhenAndWhy(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage message = fixture.enqueued();
    StoredMessage other = fixture.enqueued();
    Instant before = fixture.store.clock().toInstant();
    fixture.fail("one", failure(message, false, REFUSED), failure(other, false, TOO_LARGE));
    fixture.fail("two", failure(after(1, message), true, TOO_LARGE));

    List<FailedAttempt> history = fixture.history(id(message));
    Instant first = history.get(0).at();
    Instant second = history.get(1).at();
    assertThat(history)
        .containsExactly(
            new FailedAttempt(
                id(message),
                1,
                "d",
                1,
                false,
                "one",
                first,
                "jakarta.jms.JMSException",
                "refused: AMQ229032",
                "com.shop.Loader.load(L.java:7)",
                "aa"),
            new FailedAttempt(
                id(message), 2, "d", 2, true, "two", second, "", "too large", "", "bb"));
    assertThat(first).isBetween(before, second);
    assertThat(fixture.history(id(other))).extracting(FailedAttempt::node).containsExactly("one");
    assertThat(fixture.history(UUID.randomUUID())).isEmpty();
  }

  /** Also across a redrive, with which the attempts begin anew. */
  @ParameterizedTest
  @EnumSource
  void theFirstFailureAndTheLastTenAreKept(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage message = fixture.enqueued();
    for (int failures = 0; failures < 25; failures++) {
      fixture.fail("node " + failures, failure(after(failures % 20, message), false, REFUSED));
    }

    List<FailedAttempt> history = fixture.history(id(message));
    assertThat(history)
        .extracting(FailedAttempt::number)
        .containsExactly(1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25);
    assertThat(history)
        .extracting(FailedAttempt::attempt)
        .containsExactly(1, 16, 17, 18, 19, 20, 1, 2, 3, 4, 5);
    assertThat(history.get(10).node()).isEqualTo("node 24");
    assertThat(fixture.store.rows.count("outbox_failure")).isEqualTo(11);
  }

  @ParameterizedTest
  @EnumSource
  void aFailedBatchCostsTwoStatementsHoweverManyFail(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      fixture.store.insert("d", null);
    }
    fixture.store.due().forEach(it -> failures.add(failure(it, false, REFUSED)));
    CountingDataSource counting = new CountingDataSource(fixture.store.dataSource);
    try (Connection connection = counting.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(fixture.fail(connection, "n", failures)).isEqualTo(50);
      connection.commit();
    }

    assertThat(counting.statements()).isEqualTo(2);
    assertThat(fixture.store.rows.count("outbox_failure")).isEqualTo(50);
  }

  @ParameterizedTest
  @EnumSource
  void aRolledBackFailureIsNotOnRecord(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage message = fixture.enqueued();
    try (Connection connection = fixture.store.begin()) {
      fixture.fail(connection, "n", List.of(failure(message, false, REFUSED)));
      connection.rollback();
    }

    assertThat(fixture.history(id(message))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void besideACipherOnlyTheTextIsEncrypted(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database, Optional.of(new SampleCipher("k")));
    StoredMessage message = fixture.enqueued();
    fixture.fail("n", failure(message, false, REFUSED));

    String stored = fixture.store.rows.text("SELECT error FROM shop.pb_outbox_failure");
    assertThat(stored).startsWith("sealed:").doesNotContain("AMQ");
    assertThat(
            fixture.store.rows.text(
                "SELECT signature || ' ' || error_class || ' ' || frame FROM"
                    + " shop.pb_outbox_failure"))
        .isEqualTo("aa jakarta.jms.JMSException com.shop.Loader.load(L.java:7)");
    assertThat(fixture.history(id(message)).get(0).error()).isEqualTo(REFUSED.text());
    assertThat(fixture.groups("", 9).get(0).latest().orElseThrow().error())
        .isEqualTo(REFUSED.text());

    for (String moved : List.of("signature = 'bb'", "signature = 'aa', destination = 'e'")) {
      fixture.store.rows.execute("UPDATE shop.pb_outbox_failure SET " + moved);
      assertThat(fixture.history(id(message)).get(0).error())
          .as("moved to a failure of another cause, or for another destination")
          .startsWith("encrypted, and cannot be decrypted here");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLongestErrorAndHostileNamesFit(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage message = fixture.enqueued();
    RecordedError error =
        new RecordedError(
            "é\n\0".repeat(5_000), "c\0".repeat(1_000), "f\uD800\n".repeat(1_000), "aa");
    fixture.fail("n", failure(message, false, error.cut(1_000)));

    FailedAttempt recorded = fixture.history(id(message)).get(0);
    assertThat(recorded.error()).hasSize(1_000).startsWith("é é ");
    assertThat(recorded.errorClass()).hasSize(RecordedError.LONGEST_NAME);
    assertThat(recorded.frame()).hasSize(RecordedError.LONGEST_NAME);
  }

  @ParameterizedTest
  @EnumSource
  void failuresOfOneCauseAreOneGroup(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage retrying = fixture.enqueued();
    StoredMessage dead = fixture.enqueued();
    StoredMessage large = fixture.enqueued();
    fixture.fail("n", failure(retrying, false, REFUSED), failure(dead, false, REFUSED));
    fixture.fail("n", failure(after(1, dead), true, REFUSED));
    fixture.fail("n", failure(large, true, TOO_LARGE));
    try (Connection connection = fixture.store.begin()) { // makeDue has let it go
      fixture.fail(connection, "m", List.of(failure(retrying, false, REFUSED)));
      connection.commit();
    }

    List<FailureGroup> groups = fixture.groups("", 9);
    FailureGroup refused = groups.get(0);
    assertThat(groups).extracting(FailureGroup::signature).containsExactly("aa", "bb");
    assertThat(refused.failures()).isEqualTo(4);
    assertThat(refused.dead()).isEqualTo(1);
    assertThat(refused.retrying()).isEqualTo(1);
    assertThat(refused.first()).contains(fixture.history(id(retrying)).get(0).at());
    assertThat(refused.latest().orElseThrow())
        .isEqualTo(fixture.history(id(retrying)).get(1))
        .extracting(FailedAttempt::node)
        .isEqualTo("m");
    assertThat(groups.get(1)).isEqualTo(fixture.groups("aa", 9).get(0));
    assertThat(groups.get(1).dead()).isEqualTo(1);
    assertThat(fixture.groups("", 1)).containsExactly(refused);
    assertThat(fixture.groups("bb", 9)).isEmpty();
  }

  /** Retention deletes failures, but no messages that a person has to decide about. */
  @ParameterizedTest
  @EnumSource
  void aGroupIsListedAsLongAsItHasFailuresOrMessages(TestDatabase database) throws SQLException {
    Fixture fixture = new Fixture(database);
    StoredMessage dead = fixture.enqueued();
    StoredMessage sent = fixture.enqueued();
    fixture.fail("n", failure(dead, true, TOO_LARGE), failure(sent, false, REFUSED));
    fixture.store.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status = 'PENDING'");
    assertThat(fixture.history(id(sent))).as("it outlives its message").hasSize(1);
    assertThat(fixture.groups("", 9)).extracting(FailureGroup::dead).containsExactly(0L, 1L);

    fixture.store.rows.execute("DELETE FROM shop.pb_outbox_failure");
    assertThat(fixture.groups("", 9))
        .containsExactly(new FailureGroup("bb", 0, Optional.empty(), Optional.empty(), 1, 0));
  }
}
