package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.PayloadCipher;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The application's cipher encrypts errors while a claim is held that the broker has committed. */
@Timeout(60)
class SealedErrorsTest {
  private static final int MANY = 200;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final List<String> encrypted = Collections.synchronizedList(new ArrayList<>());
  private Encryption encryption = () -> {};

  private interface Encryption {
    void run() throws Exception;
  }

  private final PayloadCipher cipher =
      new PayloadCipher() {
        @Override
        public Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception {
          encrypted.add(new String(plain, StandardCharsets.UTF_8));
          encryption.run();
          return new Encrypted(plain, "k");
        }

        @Override
        public byte[] decrypt(Encrypted sealed, AssociatedData associated) {
          return sealed.value();
        }
      };

  @AfterEach
  void end() {
    answer.countDown();
    threads.shutdownNow();
  }

  private static final TestConfig CONFIG =
      TestConfig.DEFAULT.withPartitions(1).withFailures(10, OnDeadLetter.HOLD);

  private static RelayFixture fixture(TestDatabase database) throws SQLException {
    return new RelayFixture(database, CONFIG);
  }

  private Relay relay(RelayFixture fixture) {
    return fixture.relay(
        fixture.broker,
        new RelayThreads(new DirectExecutor(), threads),
        new StoredErrors(Optional.of(cipher)),
        fixture.clock);
  }

  /** One of ten is refused. */
  private Row sendTen(RelayFixture fixture) throws SQLException {
    for (int i = 0; i < 10; i++) {
      fixture.enqueue(keyed("d", "k" + i));
    }
    fixture.broker.rejects.add(fixture.rows.messages().get(3).seq());
    relay(fixture).poll();

    assertThat(fixture.broker.receivedSeqs()).hasSize(9).doesNotHaveDuplicates();
    List<Row> left = fixture.rows.messages();
    assertThat(left).as("the others are done").hasSize(1);
    assertThat(left.get(0).attempts()).isOne();
    return left.get(0);
  }

  @ParameterizedTest
  @EnumSource
  void aCipherThatHangsHoldsNoBatchUp(TestDatabase database) throws Exception {
    RelayFixture fixture =
        new RelayFixture(database, CONFIG.withSendTimeout(Duration.ofMillis(200)));
    encryption = answer::await;

    assertThat(sendTen(fixture).lastError())
        .isEqualTo("left out, because it could not be encrypted: not within 200 ms");
  }

  @ParameterizedTest
  @EnumSource
  void aCipherThatCannotBeLoadedStopsNoLane(TestDatabase database) throws Exception {
    RelayFixture fixture = fixture(database);
    encryption =
        () -> {
          throw new NoClassDefFoundError("kms/Client");
        };

    assertThat(sendTen(fixture).lastError())
        .isEqualTo("left out, because it could not be encrypted: java.lang.NoClassDefFoundError");
  }

  @ParameterizedTest
  @EnumSource
  void theCipherWorksBeforeAnythingOfTheBatchIsWritten(TestDatabase database) throws Exception {
    RelayFixture fixture = fixture(database);
    List<Integer> statements = Collections.synchronizedList(new ArrayList<>());
    encryption = () -> statements.add(fixture.counting.statements());
    for (int i = 0; i < 10; i++) {
      fixture.enqueue(keyed("d", "k" + i));
    }
    fixture.broker.rejects.add(fixture.rows.messages().get(3).seq());
    int before = fixture.counting.statements();
    relay(fixture).poll();

    assertThat(statements).as("a poll, a claim, a read").containsExactly(before + 3);
    assertThat(fixture.rows.messages().get(0).lastError()).startsWith("sealed:");
  }

  @ParameterizedTest
  @EnumSource
  void anErrorThatManyMessagesHaveIsEncryptedOnce(TestDatabase database) throws Exception {
    RelayFixture fixture = fixture(database);
    List<OutboxMessage> messages = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      messages.add(keyed("d", "k" + i));
    }
    fixture.enqueue(messages);
    fixture.rows.execute("UPDATE outbox_message SET expires_at = created_at - INTERVAL '1' HOUR");
    relay(fixture).poll();

    assertThat(fixture.rows.messages())
        .hasSize(MANY)
        .allMatch(row -> row.status().equals("DEAD") && row.lastError().startsWith("sealed:"));
    assertThat(encrypted)
        .hasSize(2)
        .as("once for each batch of 100")
        .allMatch("expired: it could not be sent within its time to live"::equals);
  }
}
