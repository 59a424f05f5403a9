package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ops.SharedCount;
import io.postbox.common.store.CountTable.LastCount;
import io.postbox.common.store.Dialect;
import io.postbox.common.testing.DataSources;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Limits;
import io.postbox.inbox.receiver.Limits.Limit;
import io.postbox.inbox.receiver.Limits.Used;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptStore;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class KeptCountsTest {
  private static final InboxConfig CONFIG = TestConfig.shop(true);

  @Parameter TestDatabase database;
  private String url;
  private final SettableClock clock = new SettableClock();
  private boolean answers = true;
  private Duration countsTake = Duration.ZERO;
  private int connections;
  private KeptStore kept;
  private SharedCount<Line, KeptCounts> watch;
  private final List<KeptCounts> told = new ArrayList<>();

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, CONFIG).prepare(connection);
      kept = new KeptStore(dialect, CONFIG.tables(), KeptContents.CLEAR);
    }
    watch = KeptCounts.on(dataSource(), store(), clock);
  }

  @Test
  void theHistoryOutlivesCountsAndNodes() throws SQLException {
    assertThat(watch.history()).isEmpty();

    watch.keepHistory("[1]");
    watch.keepHistory("[1,2]");
    park("shipping", "id-1");
    watch.lookIfDue(Runnable::run, this::tell);

    assertThat(watch.last().of(Kind.PARKED, "shipping")).isEqualTo(1);
    assertThat(KeptCounts.on(dataSource(), store(), clock).history()).hasValue("[1,2]");
    assertThatThrownBy(() -> watch.keepHistory("x".repeat(65_537)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keptMessagesAreCountedByConsumer() throws SQLException {
    park("shipping", "id-1");
    park("shipping", "id-2");
    park("billing", "id-1");
    quarantine("shipping", "id-3");

    watch.lookIfDue(Runnable::run, this::tell);

    assertThat(watch.last().lines()).containsOnlyKeys(Kind.PARKED, Kind.QUARANTINED);
    assertThat(watch.last().of(Kind.PARKED, "shipping")).isEqualTo(2);
    assertThat(watch.last().of(Kind.PARKED, "billing")).isOne();
    assertThat(watch.last().of(Kind.QUARANTINED, "shipping")).isOne();
    assertThat(watch.last().limited())
        .containsOnly(
            Map.entry(new Limit("shipping", Limits.Kind.KEPT), new Used(3, 21)),
            Map.entry(new Limit("billing", Limits.Kind.KEPT), new Used(1, 7)));
    assertThat(told).containsExactly(KeptCounts.NOTHING, watch.last());
    assertThat(watch.last().consumers(KeptCounts.KEPT)).containsExactly("billing", "shipping");
    assertThat(watch.last().number(Kind.PARKED)).isEqualTo(3);
    assertThat(watch.last().number(Kind.QUARANTINED)).isOne();
    assertThat(watch.last().of(Kind.QUARANTINED, "billing")).isZero();
  }

  @Test
  void beforeTheFirstLookThereIsNothing() throws SQLException {
    park("shipping", "id-1");

    assertThat(watch.last()).isEqualTo(KeptCounts.NOTHING);
    assertThat(watch.now().of(Kind.PARKED, "shipping")).as("who asks directly").isOne();
  }

  @Test
  void aFailedCountKeepsTheLastOneAndIsLoggedOnce() throws SQLException {
    park("shipping", "id-1");
    watch.lookIfDue(Runnable::run, this::tell);
    answers = false;
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 5; i++) {
        lookAgain();
      }
      assertThat(log.all()).singleElement().asString().startsWith("IBX0081 ");
      assertThat(watch.last().of(Kind.PARKED, "shipping")).isOne();
      assertThatThrownBy(watch::now)
          .isInstanceOf(InboxException.class)
          .hasMessageStartingWith("The inbox cannot be counted: ");

      answers = true;
      lookAgain();
      assertThat(log.all()).hasSize(2).last().asString().startsWith("IBX0082 ");
    }
  }

  @Test
  void aListenerThatFailsDoesNotEndTheWatch() {
    watch.lookIfDue(
        Runnable::run,
        (counts, found) -> {
          throw new IllegalStateException("no such metric");
        });
    assertThat(connections).as("to read, count, and read").isEqualTo(3);
    lookAgain();

    assertThat(told).hasSize(2);
  }

  @Test
  void aCountThatTakesLongTakesATwentiethOfTheTime() {
    countsTake = Duration.ofSeconds(2);
    watch.lookIfDue(Runnable::run, this::tell);
    for (int seconds = 5; seconds < 40; seconds += 5) {
      clock.advance(Duration.ofSeconds(5));
      watch.lookIfDue(Runnable::run, this::tell);
    }
    int looks = connections;
    assertThat(looks).as("to read, count, and read").isEqualTo(3);

    clock.advance(Duration.ofMinutes(3));
    watch.lookIfDue(Runnable::run, this::tell);
    assertThat(connections).isGreaterThan(looks);
    assertThat(told).as("of the last, of this node's own, and of it again").hasSize(3);
  }

  @Test
  void oneOfManyNodesCountsForAllAndTheOthersReadWhatItFound() throws SQLException {
    park("shipping", "id-1");
    SharedCount<Line, KeptCounts> other = KeptCounts.on(dataSource(), store(), clock);
    watch.lookIfDue(Runnable::run, this::tell);
    park("shipping", "id-2");
    connections = 0;

    other.lookIfDue(Runnable::run, this::tell);

    assertThat(connections).as("it has read the count").isOne();
    assertThat(other.last())
        .usingRecursiveComparison()
        .ignoringFieldsMatchingRegexes(".*age")
        .isEqualTo(watch.last());
    lookAgain();
    other.lookIfDue(Runnable::run, this::tell);
    clock.advance(Duration.ofSeconds(5));
    other.lookIfDue(Runnable::run, this::tell);
    assertThat(other.last().of(Kind.PARKED, "shipping")).isEqualTo(2);
  }

  private void tell(KeptCounts counts, LastCount<Line> found) {
    told.add(counts);
  }

  private CountStore store() {
    return new CountStore(
        database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL, CONFIG.tables());
  }

  /** The next count is due by the database's clock, too. */
  private void lookAgain() {
    clock.advance(Duration.ofSeconds(5));
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE inbox_count SET due_at = since WHERE kind = 'CLAIM'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    watch.lookIfDue(Runnable::run, this::tell);
  }

  private void park(String consumer, String id) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      kept.park(
          connection,
          new Parked(
              TestDelivery.of(id).to(consumer).delivery(),
              id,
              ParkReason.REJECTED,
              "why",
              "5ef0",
              1),
          false);
    }
  }

  private void quarantine(String consumer, String id) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      kept.quarantine(
          connection,
          new Quarantined(
              TestDelivery.of(id).to(consumer).delivery(),
              id,
              QuarantineReason.OTHER_CONTENT,
              TestDelivery.FINGERPRINT));
    }
  }

  private DataSource dataSource() {
    return DataSources.of(() -> connect());
  }

  private Connection connect() throws SQLException {
    if (!answers) {
      throw new SQLException("connection refused", "08001");
    }
    connections++;
    clock.advance(countsTake);
    return TestDatabase.connect(url);
  }
}
