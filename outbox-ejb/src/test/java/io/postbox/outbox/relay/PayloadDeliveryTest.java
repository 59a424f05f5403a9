package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.PayloadUnavailableException;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.payload.ApplicationPayloadResolver;
import io.postbox.outbox.payload.PayloadResolver;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payloads that are not sent as their row holds them, on the real database. */
class PayloadDeliveryTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);
  private static final Lane D = new Lane(0, "d");

  private final Map<String, String> invoices = new HashMap<>();
  private boolean down;
  private int loads;

  private Optional<LoadedPayload> load(String table, String id) throws Exception {
    loads++;
    if (down) {
      throw new PayloadUnavailableException(table + " does not answer", null);
    }
    return Optional.ofNullable(invoices.get(id)).map(LoadedPayload::text);
  }

  private PayloadResolver resolver() {
    return new ApplicationPayloadResolver(
        Optional.of(this::load), Optional.empty(), 1 << 20, false);
  }

  private static OutboxMessage reference(String key, Object id) {
    return OutboxMessage.to("d").orderedBy(key).reference("invoices", id);
  }

  private static List<Object> texts(RelayFixture relay) {
    return relay.broker.received().stream()
        .map(message -> (Object) ((Body.Text) message.envelope().body()).value())
        .toList();
  }

  private static int hashed(RelayFixture relay) {
    return relay.rows.countMessages("payload_sha256 IS NOT NULL");
  }

  @ParameterizedTest
  @EnumSource
  void theHashOfTheFirstLoadIsCommittedBeforeAnythingIsSent(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(reference("k", 1));
    relay.enqueue(keyed("d", "k"));
    invoices.put("1", "one");
    BatchProcessor pass = relay.passOpening(resolver());

    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.MORE);
    assertThat(relay.broker.calls()).isZero();
    assertThat(hashed(relay)).isEqualTo(1);

    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.DRAINED);
    assertThat(texts(relay)).containsExactly("one", "x");
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(loads).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aHashWhoseCommitIsLostLetsNothingBeSent(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(reference("k", 1));
    invoices.put("1", "one");
    relay.counting.loseCommits(1);

    assertThatThrownBy(() -> relay.passOpening(resolver()).run(D)).isInstanceOf(SQLException.class);
    assertThat(relay.broker.calls()).isZero();
    assertThat(hashed(relay)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadChangedAfterACrashIsADeadLetterAndIsNotSent(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(reference("k", 1));
    relay.enqueue(keyed("d", "k"));
    relay.enqueue(keyed("d", "other"));
    invoices.put("1", "one");
    BatchProcessor pass = relay.passOpening(resolver());
    pass.run(D);
    relay.counting.loseCommits(1);
    assertThatThrownBy(() -> pass.run(D)).isInstanceOf(SQLException.class);
    assertThat(texts(relay)).as("sent, and the crash forgot it").containsExactly("one", "x", "x");

    invoices.put("1", "two");
    relay.drain(pass);

    assertThat(texts(relay)).doesNotContain("two");
    assertThat(relay.broker.received()).hasSize(4);
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD");
    Row dead = relay.rows.messages().get(0);
    assertThat(dead.attempts()).isZero();
    assertThat(dead.lastError())
        .contains("changed after the first load")
        .doesNotContain("two")
        .containsPattern("SHA-256 [0-9a-f]{64} then, [0-9a-f]{64} now");
    assertThat(relay.listener.died()).isEqualTo(1);
    assertThat(relay.listener.failed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aMissingPayloadIsRetriedAndInTheEndADeadLetter(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(reference("k", "missing"));
    relay.enqueue(reference("k", 1));
    relay.enqueue(keyed("d", "other"));
    invoices.put("1", "one");
    BatchProcessor pass = relay.passOpening(resolver());
    relay.drain(pass);

    assertThat(texts(relay)).containsExactly("x");
    assertThat(relay.statuses()).containsExactly("DELAYED", "HELD");
    assertThat(relay.rows.messages().get(0).attempts()).isEqualTo(1);
    assertThat(relay.rows.messages().get(0).lastError()).contains("there is none");

    for (int attempt = 2; attempt <= 3; attempt++) {
      relay.rows.makeDue();
      relay.drain(pass);
    }
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD");
    assertThat(relay.listener.failed()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void whileNothingCanBeLoadedMessagesWaitWithoutAnAttempt(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    for (int i = 0; i < 50; i++) {
      relay.enqueue(reference("k" + i, i));
      invoices.put("" + i, "invoice " + i);
    }
    down = true;
    BatchProcessor pass = relay.passOpening(resolver());
    relay.drain(pass);
    relay.drain(pass);

    assertThat(loads).as("one said it all").isEqualTo(1);
    assertThat(relay.breakers.openReasons().get("d")).contains("invoices does not answer");
    assertThat(relay.rows.countMessages("status = 'PENDING' AND attempts = 0")).isEqualTo(50);

    down = false;
    relay.clock.pass(Duration.ofSeconds(1));
    relay.drain(pass);
    assertThat(relay.broker.received()).hasSize(50);
    assertThat(relay.breakers.openReasons()).isEmpty();
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void twoPhasesOpenPayloadsToo(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION.withXa());
    relay.enqueue(reference("a", 1));
    relay.enqueue(reference("b", "missing"));
    relay.enqueue(keyed("d", "c"));
    invoices.put("1", "one");
    relay.drain(relay.passInTwoPhases(resolver()));

    assertThat(texts(relay)).containsExactly("one", "x");
    assertThat(relay.statuses()).containsExactly("DELAYED");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageEncryptedInTheTableIsSentInTheClear(TestDatabase database) throws SQLException {
    SampleCipher cipher = new SampleCipher("2026-11");
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION, Optional.of(cipher));
    relay.enqueue(
        OutboxMessage.to("d")
            .text("a secret")
            .property("customer", "a secret")
            .correlationId("a secret"));
    relay.enqueue(OutboxMessage.to("d").bytes("a secret".getBytes()));
    cipher.rotateTo("2026-12");
    relay.enqueue(OutboxMessage.to("d").json("a secret"));

    assertThat(relay.rows.countMessages("payload_text IS NULL")).isEqualTo(3);
    assertThat(relay.rows.countMessages("headers LIKE '%secret%'")).isZero();
    assertThat(relay.rows.countMessages("payload_key = '2026-11'")).isEqualTo(2);
    assertThat(relay.rows.countMessages("payload_key = '2026-12'")).isEqualTo(1);

    relay.drain(
        relay.passOpening(
            new ApplicationPayloadResolver(Optional.empty(), Optional.of(cipher), 1 << 20, false)));
    assertThat(relay.broker.received())
        .extracting(message -> message.envelope().contentType())
        .containsExactly("text/plain", "application/octet-stream", "application/json");
    assertThat(relay.broker.received().get(0).envelope().body())
        .isEqualTo(new Body.Text("a secret"));
    assertThat(Headers.fromJson(relay.broker.received().get(0).envelope().headers()))
        .satisfies(
            headers -> {
              assertThat(headers.properties()).containsEntry("customer", "a secret");
              assertThat(headers.correlationId()).isEqualTo("a secret");
            });
  }

  /** As while nodes are upgraded one by one: the other node has what this one lacks. */
  @ParameterizedTest
  @EnumSource
  void anUnresolvablePayloadWaitsForAnotherNodeAndOthersGoOn(TestDatabase database)
      throws SQLException {
    SampleCipher newer = new SampleCipher("new");
    SampleCipher older = new SampleCipher("old");
    for (Optional<PayloadCipher> cipher :
        List.of(Optional.<PayloadCipher>empty(), Optional.<PayloadCipher>of(older))) {
      RelayFixture relay = new RelayFixture(database, ONE_PARTITION, Optional.of(newer));
      relay.enqueue(OutboxMessage.to("d").orderedBy("k").text("sealed"));
      relay.enqueueInTheClear(keyed("d", "k"));
      relay.enqueueInTheClear(reference("r", 1));
      relay.enqueueInTheClear(keyed("d", "r"));
      relay.enqueueInTheClear(keyed("d", "other"));
      BatchProcessor here =
          relay.passOpening(
              new ApplicationPayloadResolver(Optional.empty(), cipher, 1 << 20, false));
      try (LogLines lines = LogLines.of("io.postbox.outbox")) {
        relay.drain(here);
        relay.drain(here);

        assertThat(texts(relay)).as("of the other key").containsExactly("x");
        assertThat(relay.statuses()).containsOnly("PENDING").hasSize(4);
        assertThat(relay.rows.countMessages("attempts > 0 OR last_error IS NOT NULL")).isZero();
        assertThat(relay.rows.count("outbox_held_key")).isZero();
        assertThat(relay.breakers.openReasons()).isEmpty();
        assertThat(here.foreign().lacking()).hasSize(2);
        assertThat(lines.lines()).filteredOn(line -> line.startsWith("OBX0082")).hasSize(2);
      }

      invoices.put("1", "one");
      relay.drain(
          relay.passOpening(
              new ApplicationPayloadResolver(
                  Optional.of(this::load), Optional.of(newer), 1 << 20, false)));
      assertThat(relay.rows.messages()).isEmpty();
      assertThat(texts(relay)).containsExactly("x", "sealed", "x", "one", "x");
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyThatWaitForAnotherNodeHideNoneBehindThem(TestDatabase database) throws SQLException {
    SampleCipher newer = new SampleCipher("new");
    for (OutboxMessage foreign :
        List.of(
            OutboxMessage.to("d").text("sealed"), OutboxMessage.to("d").reference("invoices", 1))) {
      RelayFixture relay = new RelayFixture(database, ONE_PARTITION, Optional.of(newer));
      for (int i = 0; i < 250; i++) {
        relay.enqueue(foreign);
      }
      relay.enqueueInTheClear(keyed("d", "k"));
      relay.drain(
          relay.passOpening(
              new ApplicationPayloadResolver(
                  Optional.empty(), Optional.of(new SampleCipher("old")), 1 << 20, false)));

      assertThat(texts(relay)).containsExactly("x");
      assertThat(relay.statuses()).containsOnly("PENDING").hasSize(250);
    }
  }

  /** Somebody who may write to the table, but has no key, cannot have one message say another's. */
  @ParameterizedTest
  @EnumSource
  void swappedPayloadsAreNotSent(TestDatabase database) throws SQLException {
    SampleCipher cipher = new SampleCipher("k");
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION, Optional.of(cipher));
    relay.enqueue(OutboxMessage.to("d").text("pay 1"));
    relay.enqueue(OutboxMessage.to("d").text("pay 9"));
    relay.rows.execute(
        """
        UPDATE outbox_message m SET payload_bytes =
          (SELECT o.payload_bytes FROM outbox_message o WHERE o.id <> m.id)
        """);
    relay.drain(
        relay.passOpening(
            new ApplicationPayloadResolver(Optional.empty(), Optional.of(cipher), 1 << 20, false)));

    assertThat(relay.broker.received()).isEmpty();
    assertThat(relay.statuses()).containsExactly("DELAYED", "DELAYED");
    assertThat(relay.rows.messages().get(0).lastError()).contains("was not decrypted");
  }

  @ParameterizedTest
  @EnumSource
  void whereEncryptionIsRequiredARowFromBeforeItIsKept(TestDatabase database) throws SQLException {
    SampleCipher cipher = new SampleCipher("k");
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(OutboxMessage.to("d").text("in the clear"));
    BatchProcessor pass =
        relay.passOpening(
            new ApplicationPayloadResolver(Optional.empty(), Optional.of(cipher), 1 << 20, true));
    relay.drain(pass);

    assertThat(relay.broker.received()).isEmpty();
    assertThat(relay.rows.messages().get(0).lastError()).contains("postbox.encryption=required");

    relay.rows.makeDue();
    relay.drain(
        relay.passOpening(
            new ApplicationPayloadResolver(Optional.empty(), Optional.of(cipher), 1 << 20, false)));
    assertThat(texts(relay)).containsExactly("in the clear");
  }
}
