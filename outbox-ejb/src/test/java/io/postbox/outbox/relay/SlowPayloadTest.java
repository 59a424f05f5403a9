package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.ops.ApplicationCalls;
import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ApplicationPayloadResolver;
import io.postbox.outbox.payload.BatchPayloadResolver;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A loader that gives no answer for one message, on the real database. */
class SlowPayloadTest {
  private static final int MOST_ROUNDS = 100;

  /** Reached once, by what hangs; ample for everything else. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch answer = new CountDownLatch(1);

  @AfterEach
  void end() {
    answer.countDown();
    executor.shutdownNow();
  }

  private Optional<LoadedPayload> load(String table, String id) throws InterruptedException {
    if (id.equals("slow")) {
      answer.await();
    }
    return Optional.of(LoadedPayload.text(id));
  }

  private BatchProcessor pass(RelayFixture relay) {
    BatchPayloadResolver opening =
        new BatchPayloadResolver(
            new ApplicationPayloadResolver(
                Optional.of(this::load), Optional.empty(), 1 << 20, false),
            new ApplicationCalls(executor, 1),
            LIMIT);
    return relay.passWith(
        new Gateway() {
          @Override
          public TransportSession begin(Lane lane) {
            return relay.broker;
          }

          @Override
          public ResolvedBatch resolve(List<StoredMessage> messages) {
            return opening.resolve(messages);
          }
        });
  }

  private static OutboxMessage reference(String key, String id) {
    return OutboxMessage.to("d").orderedBy(key).reference("invoices", id);
  }

  @ParameterizedTest
  @EnumSource
  void itIsCountedInTheEndAndOtherMessagesGoOn(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    List<Long> slow =
        relay.enqueue(List.of(reference("slow", "slow"), keyed("d", "slow"), reference("k", "1")));
    relay.enqueue(List.of(reference("k", "2"), keyed("d", "k"), keyed("d", "other")));
    BatchProcessor pass = pass(relay);
    int sent = 4;
    for (int round = 0; round < MOST_ROUNDS && relay.listener.died() == 0; round++) {
      relay.enqueue(keyed("d", "news"));
      sent++;
      relay.drain(pass);
      relay.clock.pass(Duration.ofSeconds(1));
      relay.rows.makeDue();
      if (relay.listener.failed() == 0) {
        assertThat(relay.rows.count("outbox_held_key")).as("nothing is counted yet").isZero();
      }
    }
    relay.drain(pass);

    assertThat(relay.listener.died()).isEqualTo(1);
    assertThat(relay.listener.failed()).isEqualTo(relay.config.maxAttempts());
    assertThat(relay.broker.received()).hasSize(sent);
    Invariants.assertInOrderPerKey(relay.broker.received());
    assertThat(relay.rows.messages())
        .extracting(Row::seq, Row::status)
        .containsExactly(tuple(slow.get(0), "DEAD"), tuple(slow.get(1), "HELD"));
    assertThat(relay.rows.messages().get(0).lastError()).contains("payload");
    assertThat(relay.breakers.openReasons()).isEmpty();
  }

  /** Not tried for ever: nobody would know, and its key would wait. */
  @ParameterizedTest
  @EnumSource
  void whereNothingElseIsSentItIsADeadLetterInTheEnd(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    relay.enqueue(reference("slow", "slow"));
    BatchProcessor pass = pass(relay);
    for (int round = 1; round < PoisonMessageDetector.HANGS_UNTIL_AT_FAULT; round++) {
      relay.drain(pass);
      relay.clock.pass(Duration.ofSeconds(30));
    }
    assertThat(relay.listener.failed()).as("it may be the source").isZero();
    assertThat(relay.breakers.openReasons()).containsKey("d");

    for (int round = 0; round < MOST_ROUNDS && relay.listener.died() == 0; round++) {
      relay.drain(pass);
      relay.clock.pass(Duration.ofSeconds(30));
      relay.rows.makeDue();
      relay.claims().wakeDelayed();
    }
    assertThat(relay.listener.died()).isEqualTo(1);
    assertThat(relay.listener.failed()).isEqualTo(relay.config.maxAttempts());
    assertThat(relay.rows.messages()).extracting(Row::status).containsExactly("DEAD");
    assertThat(relay.rows.messages().get(0).lastError()).contains("payload");
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadThatHangsForAWhileIsSentAfterwards(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    relay.enqueue(reference("slow", "slow"));
    BatchProcessor pass = pass(relay);
    for (int round = 0; round < 5; round++) {
      relay.drain(pass);
      relay.clock.pass(Duration.ofSeconds(30));
    }
    answer.countDown();
    Awaitility.await() // else the rounds, which take no time, are over before the thread has ended
        .until(() -> ((ThreadPoolExecutor) executor).getActiveCount() == 0);
    for (int round = 0; round < MOST_ROUNDS && relay.broker.received().isEmpty(); round++) {
      relay.clock.pass(Duration.ofSeconds(30));
      relay.drain(pass);
    }
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.listener.failed()).isZero();
  }
}
