package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Paused;
import io.postbox.common.store.Dialect;
import io.postbox.common.testing.DataSources;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.CapturedStore.Due;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptStore;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class CaptureSwitchesTest {
  private static final InboxConfig CONFIG = TestConfig.shop(true);

  @Parameter TestDatabase database;
  private DataSource source;
  private Dialect dialect;
  private CapturedStore store;
  private CaptureSwitches switches;

  @BeforeEach
  void makeTheTables() throws SQLException {
    String url = database.freshUrl();
    source = dataSource(url);
    try (Connection connection = source.getConnection()) {
      dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, CONFIG).prepare(connection);
      store = new CapturedStore(dialect, CONFIG.tables(), KeptContents.CLEAR);
    }
    try (Connection connection = source.getConnection()) {
      store.capture(connection, TestDelivery.of("id-1").to("shipping").delivery(), "id-1", false);
      store.capture(connection, TestDelivery.of("id-1").to("billing").delivery(), "id-1", false);
    }
    switches =
        new CaptureSwitches(
            dialect,
            CONFIG,
            source,
            new DeployedConsumers(Set.of("shipping", "orders", "nobody's"), false));
  }

  private static DataSource dataSource(String url) {
    return DataSources.of(() -> TestDatabase.connect(url));
  }

  private List<Long> pending(String consumer) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return store.pending(connection, consumer, 10);
    }
  }

  private List<Long> due(String consumer) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return store.due(connection, consumer, true, null, 10).stream().map(Due::id).toList();
    }
  }

  private boolean claims(long id) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return store.claim(connection, id, Duration.ofMinutes(1));
    }
  }

  private List<String> column(String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        values.add(row.getString(1));
      }
    }
    return values;
  }

  @Test
  void aPausedConsumersMessagesAreNeitherFoundNorClaimedAndOthersAre() throws SQLException {
    long found = pending("shipping").get(0);
    assertThat(switches.pause("shipping", "ada", "the carrier is down")).isTrue();

    assertThat(pending("shipping")).isEmpty();
    assertThat(claims(found)).as("a worker had it already").isFalse();
    assertThat(claims(pending("billing").get(0))).isTrue();
    try (Connection connection = source.getConnection()) {
      new KeptStore(dialect, CONFIG.tables(), KeptContents.CLEAR)
          .delay(
              connection,
              TestDelivery.of("id-1").with(new StoredRow(found, 0)).delivery(),
              new DelayedRetry("id-1", Duration.ZERO, 1, 0),
              false);
    }
    assertThat(due("shipping")).isEmpty();
    assertThat(claims(found)).isFalse();

    assertThat(switches.resume("shipping", "bob", "it is back")).isTrue();
    assertThat(due("shipping")).containsExactly(found);
    assertThat(claims(found)).isTrue();
  }

  @Test
  void aNameThatNobodyHasIsRefusedWithTheNearestOne() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO inbox_message (consumer, message_id, fingerprint,"
              + " fingerprint_version, headers, outcome) SELECT consumer, message_id, fingerprint,"
              + " fingerprint_version, '{}', 'CAPTURED' FROM inbox_stored");
    }
    assertThatThrownBy(() -> switches.pause("shiping", "ada", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("did you mean 'shipping'?")
        .hasMessageContaining("Nothing was changed");
    assertThat(switches.paused()).isEmpty();
    assertThat(switches.pause("orders", "ada", "before its first message")).isTrue();
    assertThat(switches.pause("billing", "ada", "deployed elsewhere")).isTrue();
  }

  @Test
  void aPauseIsOnRecordOnce() throws SQLException {
    try (LogLines log = new LogLines()) {
      assertThat(switches.pause("shipping", "ada", "the first reason")).isTrue();
      assertThat(switches.pause("shipping", "bob", "the second")).isFalse();
      assertThat(switches.paused())
          .singleElement()
          .extracting(Paused::name, Paused::principal, Paused::reason)
          .containsExactly("shipping", "ada", "the first reason");
      assertThat(switches.resume("shipping", "bob", "enough")).isTrue();
      assertThat(switches.resume("shipping", "bob", "again")).isFalse();
      assertThat(switches.paused()).isEmpty();
      assertThat(log.all()).hasSize(2);
      assertThat(log.all().get(0)).startsWith("IBX0195 ada paused 'shipping'");
      assertThat(log.all().get(1)).startsWith("IBX0196 bob resumed 'shipping'");
    }
    assertThat(
            column(
                "SELECT action || principal || reason || subject FROM postbox_audit ORDER BY at"))
        .containsExactly("pauseadathe first reasonshipping", "resumebobenoughshipping");
  }

  @Test
  void aNameOrReasonOutOfBoundsChangesNothing() {
    for (String name : List.of("", " ", "x".repeat(101), "a\u0000b")) {
      assertThatThrownBy(() -> switches.pause(name, "ada", "why"))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> switches.pause("shipping", "ada", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(switches.paused()).isEmpty();
  }

  @Test
  void theCountKnowsThePausedConsumers() throws SQLException {
    switches.pause("nobody's", "ada", "why");
    switches.pause("shipping", "ada", "why");
    CountStore counts = new CountStore(dialect, CONFIG.tables());

    try (Connection connection = source.getConnection()) {
      KeptCounts counted = KeptCounts.of(counts.count(connection));
      assertThat(counted.paused()).isEqualTo(Set.of("nobody's", "shipping"));
      assertThat(counted.of(Kind.PENDING, "shipping")).isOne();
      assertThat(counted.of(Kind.PAUSED, "shipping")).isOne();
      assertThat(counted.of(Kind.PAUSED, "billing")).isZero();
    }
  }
}
