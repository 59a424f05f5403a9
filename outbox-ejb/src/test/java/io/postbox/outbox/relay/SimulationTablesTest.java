package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.common.testing.Tenth;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation's tables do what real ones do: the same operations, the same answers and rows. */
class SimulationTablesTest {
  private static final int PARTITIONS = 2;
  private static final int SLICE = 2;
  private static final List<String> DESTINATIONS = List.of("a", "b");
  private static final Duration LONG = Duration.ofHours(1);

  /** A claim on both sides, and what it read. */
  private record Both(int partition, Claim real, Claim model, List<StoredMessage> read) {}

  /** A business transaction on both sides. */
  private record Writing(Connection real, SimulationTransaction model) {}

  private Random random = new Random();
  private DataSource dataSource;
  private Rows rows;
  private PartitionClaims real;
  private MessageStore messages;
  private SimulationTables model;
  private final Map<Integer, Both> claims = new HashMap<>();
  private final List<Writing> writing = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void theyAnswerAsRealTablesDo(TestDatabase database) throws SQLException {
    for (long seed : LongStream.rangeClosed(1, 20).filter(Tenth::has).toArray()) {
      begin(database, seed);
      for (int step = 0; step < 150; step++) {
        String what = "seed " + seed + ", step " + step;
        operate(what);
        assertThat(
                rows.messages().stream()
                    .map(it -> it.seq() + " " + it.status() + " " + it.attempts()))
            .as(what)
            .isEqualTo(
                model.rows.values().stream()
                    .map(it -> it.seq() + " " + it.status() + " " + it.attempts())
                    .toList());
        assertThat(rows.count("outbox_held_key")).as(what).isEqualTo(model.held.size());
      }
      for (Both both : List.copyOf(claims.values())) {
        end(both, false);
      }
      for (Writing each : writing) {
        each.real().close();
      }
      writing.clear();
    }
  }

  private void begin(TestDatabase database, long seed) throws SQLException {
    OutboxConfig config = TestConfig.DEFAULT.withPartitions(PARTITIONS).config();
    random = new Random(seed);
    dataSource = database.fresh();
    rows = new Rows(dataSource, config.tables());
    try (Connection connection = dataSource.getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
    }
    messages = new MessageStore(database.dialect(), config.tables());
    real =
        new JdbcPartitionClaims(
            dataSource,
            new ClaimStore(
                database.dialect(), config.tables(), config.afterSending(), LONG, SLICE, ""),
            new PollStore(database.dialect(), config.tables()));
    model =
        new SimulationTables(
            PARTITIONS, SLICE, InstantSource.system(), Set.of(), transaction -> {});
  }

  private void operate(String what) throws SQLException {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> insert();
      case 3, 4 -> endWriting();
      case 5, 6 -> claim(what);
      case 7, 8 -> work(what);
      case 9 -> poll(what);
      case 10 -> wakeDelayed(what);
      default -> pause();
    }
  }

  private void insert() throws SQLException {
    if (writing.isEmpty() || random.nextInt(3) == 0) {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      writing.add(new Writing(connection, model.begin("business")));
    }
    Writing into = writing.get(random.nextInt(writing.size()));
    NewMessage prepared = prepared();
    messages.insert(into.real(), prepared);
    into.model().insert(prepared);
  }

  private NewMessage prepared() {
    String key = random.nextInt(4) == 0 ? null : "k" + random.nextInt(3);
    Envelope envelope =
        Messages.envelope(new UUID(random.nextLong(), random.nextLong()), anyDestination(), key);
    Instant notBefore =
        key == null && random.nextInt(2) == 0
            ? Instant.now().plus(random.nextBoolean() ? LONG : LONG.negated())
            : null;
    Duration expires =
        random.nextInt(5) == 0 ? (random.nextBoolean() ? LONG : Duration.ZERO) : null;
    return new NewMessage(random.nextInt(PARTITIONS), envelope, notBefore, expires);
  }

  private void endWriting() throws SQLException {
    if (!writing.isEmpty()) {
      Writing one = writing.remove(random.nextInt(writing.size()));
      if (random.nextInt(4) == 0) {
        one.real().rollback();
        one.model().rollback();
      } else {
        one.real().commit();
        one.model().commit();
      }
      one.real().close();
    }
  }

  private void claim(String what) throws SQLException {
    int partition = random.nextInt(PARTITIONS);
    Optional<Claim> taken = real.claim(partition);
    Optional<Claim> modelled = model.claim(partition);
    assertThat(taken.isPresent()).as(what).isEqualTo(modelled.isPresent());
    if (taken.isPresent()) {
      assertThat(taken.get().putBack()).as(what).isEqualTo(modelled.get().putBack());
      claims.put(partition, new Both(partition, taken.get(), modelled.get(), new ArrayList<>()));
    }
  }

  private void work(String what) throws SQLException {
    Both both = claims.get(random.nextInt(PARTITIONS));
    if (both == null) {
      return;
    }
    if (both.read().isEmpty()) {
      String destination = anyDestination();
      long after = random.nextInt(3) == 0 ? random.nextInt(20) : 0;
      int limit = 1 + random.nextInt(5);
      Batch found = both.real().read(destination, after, limit);
      Batch modelled = both.model().read(destination, after, limit);
      assertThat(found.messages().stream().map(SimulationTablesTest::seen))
          .as(what)
          .isEqualTo(modelled.messages().stream().map(SimulationTablesTest::seen).toList());
      assertThat(found.full()).as(what).isEqualTo(modelled.full());
      both.read().addAll(found.messages());
      if (!both.read().isEmpty()) {
        return;
      }
    } else {
      complete(both);
    }
    end(both, random.nextInt(4) > 0);
  }

  /** A message as a pass sees it. */
  private static String seen(StoredMessage it) {
    return it.seq() + " " + it.attempts() + " " + it.heldBy() + " " + it.isExpired();
  }

  private void complete(Both both) throws SQLException {
    String destination = both.read().get(0).destination();
    List<Long> followers =
        both.read().stream().filter(StoredMessage::isFollower).map(StoredMessage::seq).toList();
    both.real().hold(destination, followers);
    both.model().hold(destination, followers);
    List<Long> sent = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    List<HeldKey> hold = new ArrayList<>();
    List<HeldKey> release = new ArrayList<>();
    Set<String> touched = new HashSet<>();
    for (StoredMessage message : both.read()) {
      String key = message.envelope().orderingKey();
      if (message.isFollower() || key != null && !touched.add(key)) {
        continue;
      }
      HeldKey heldKey = new HeldKey(message.destination(), key, message.envelope().id());
      boolean head = message.isHead();
      switch (random.nextInt(3)) {
        case 0 -> sent.add(message.seq());
        case 1 -> failures.add(failure(message, random.nextBoolean()));
        default -> {
          continue;
        }
      }
      boolean failed = !sent.contains(message.seq());
      if (head && !failed) {
        release.add(heldKey);
      } else if (key != null && failed && !head) {
        hold.add(heldKey);
      }
    }
    BatchSettlement settlement = new BatchSettlement(sent, failures, hold, release);
    Map<RecordedError, String> texts = new HashMap<>();
    failures.forEach(failure -> texts.put(failure.error(), failure.error().text()));
    both.real().complete(destination, settlement, texts);
    both.model().complete(destination, settlement, texts);
  }

  private Failure failure(StoredMessage message, boolean dead) {
    return new Failure(
        message,
        random.nextInt(2),
        dead,
        random.nextBoolean() ? LONG : Duration.ZERO,
        RecordedError.of("x"));
  }

  private void end(Both both, boolean commit) throws SQLException {
    if (commit) {
      both.real().commit();
      both.model().commit();
    }
    both.real().close();
    both.model().close();
    claims.remove(both.partition());
  }

  private void poll(String what) throws SQLException {
    Poll found = real.poll();
    Poll modelled = model.poll();
    assertThat(found.lanes()).as(what).containsExactlyInAnyOrderElementsOf(modelled.lanes());
    assertThat(found.paused()).as(what).isEqualTo(modelled.paused());
    assertThat(found.nextDue().map(Duration::isNegative))
        .as(what)
        .isEqualTo(modelled.nextDue().map(Duration::isNegative));
    Lane lane = new Lane(random.nextInt(PARTITIONS), anyDestination());
    assertThat(real.first(lane)).as(what).isEqualTo(model.first(lane));
  }

  private void wakeDelayed(String what) throws SQLException {
    Woken found = real.wakeDelayed();
    Woken modelled = model.wakeDelayed();
    assertThat(found.lanes()).as(what).isEqualTo(modelled.lanes());
    assertThat(found.nextDue().map(Duration::isNegative))
        .as(what)
        .isEqualTo(modelled.nextDue().map(Duration::isNegative));
  }

  private void pause() {
    String destination = random.nextInt(4) == 0 ? "*" : anyDestination();
    if (model.paused.remove(destination)) {
      rows.execute("DELETE FROM outbox_switch WHERE destination = '" + destination + "'");
    } else if (random.nextInt(3) == 0) {
      model.paused.add(destination);
      rows.execute(
          "INSERT INTO outbox_switch (destination, reason, principal) VALUES ('%s', 'x', 'x')"
              .formatted(destination));
    }
  }

  private String anyDestination() {
    return DESTINATIONS.get(random.nextInt(DESTINATIONS.size()));
  }
}
