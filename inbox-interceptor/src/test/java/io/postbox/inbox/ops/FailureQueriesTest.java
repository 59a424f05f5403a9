package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.RecordedError;
import io.postbox.common.ops.FailureQueries;
import io.postbox.common.store.Dialect;
import io.postbox.common.testing.SampleCipher;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.store.FailureStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureQueriesTest {
  private static final RecordedError NO_STOCK =
      new RecordedError("no stock of 7", "com.shop.NoStock", "com.shop.Stock.take(S.java:7)", "aa");

  private static void fail(KeptFixture fixture, String node, String id, RecordedError error)
      throws SQLException {
    try (Connection connection = fixture.dataSource.getConnection()) {
      connection.setAutoCommit(true);
      new FailureStore(
              Dialect.of(connection, "inbox"),
              fixture.config.tables(),
              new KeptContents(() -> fixture.cipher).texts())
          .insert(
              connection, node, new Failure("shipping", id, 1, Kind.FAILED, null, error, 0, false));
    }
  }

  private static FailureQueries<FailedAttempt, FailureGroup> queries(KeptFixture fixture) {
    return fixture.failures(fixture.dataSource);
  }

  @ParameterizedTest
  @EnumSource
  void eachFailureIsOnRecordWithWhereWhenAndWhy(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fail(fixture, "one", "m-1", NO_STOCK);
    fail(fixture, "two", "m-1", RecordedError.of("timed out"));
    fail(fixture, "one", "m-2", NO_STOCK);

    List<FailedAttempt> history = queries(fixture).of("shipping", "m-1");
    Instant at = history.get(0).at();
    assertThat(history.get(0))
        .isEqualTo(
            new FailedAttempt(
                "shipping",
                "m-1",
                1,
                FailedAttempt.Kind.FAILED,
                1,
                false,
                "one",
                at,
                "com.shop.NoStock",
                "no stock of 7",
                "com.shop.Stock.take(S.java:7)",
                "aa"));
    assertThat(history).hasSize(2).extracting(FailedAttempt::attempt).containsExactly(1, 2);
    assertThat(history.get(1).node()).isEqualTo("two");
    assertThat(history.get(1).at()).isAfterOrEqualTo(at);
    assertThat(queries(fixture).of("billing", "m-1")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void historyOutlivesARedrive(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fail(fixture, "one", "m-1", NO_STOCK);
    assertThat(
            fixture
                .onParked()
                .redrive(fixture.plan(), ReplyOnRedrive.KEEP, KeptFixture.WHO, "x")
                .messages())
        .isOne();

    assertThat(queries(fixture).of("shipping", "m-1"))
        .singleElement()
        .satisfies(failure -> assertThat(failure.redriven()).isTrue());
  }

  @ParameterizedTest
  @EnumSource
  void besideACipherOnlyTheTextIsEncrypted(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.cipher = Optional.of(new SampleCipher("k"));
    fail(fixture, "one", "m-1", NO_STOCK);

    assertThat(fixture.column("SELECT reason FROM shop.pb_inbox_failure")).containsExactly("");
    assertThat(
            fixture.column(
                "SELECT signature || ' ' || error_class || ' ' || frame FROM"
                    + " shop.pb_inbox_failure"))
        .containsExactly("aa com.shop.NoStock com.shop.Stock.take(S.java:7)");
    assertThat(queries(fixture).of("shipping", "m-1").get(0).error()).isEqualTo(NO_STOCK.text());
    assertThat(queries(fixture).groups("", 1).get(0).latest().orElseThrow().error())
        .isEqualTo(NO_STOCK.text());
  }

  @ParameterizedTest
  @EnumSource
  void failuresOfOneCauseAreOneGroup(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    fixture.run("UPDATE shop.pb_inbox_stored SET signature = 'cc' WHERE message_id <> 'm-1'");
    fixture.run("UPDATE shop.pb_inbox_stored SET signature = 'aa' WHERE message_id = 'm-1'");
    fail(fixture, "one", "m-1", NO_STOCK);
    fail(fixture, "two", "m-9", NO_STOCK);
    fail(fixture, "one", "m-1", new RecordedError("timed out", "", "", "bb"));
    FailureQueries<FailedAttempt, FailureGroup> queries = queries(fixture);
    List<FailureGroup> groups = queries.groups("", 100);

    assertThat(groups).extracting(FailureGroup::signature).containsExactly("aa", "bb", "cc");
    assertThat(groups).extracting(FailureGroup::failures).containsExactly(2L, 1L, 0L);
    assertThat(groups).extracting(FailureGroup::parked).containsExactly(1L, 0L, 2L);
    assertThat(groups.get(0).first()).contains(queries.of("shipping", "m-1").get(0).at());
    assertThat(groups.get(0).latest()).contains(queries.of("shipping", "m-9").get(0));
    assertThat(groups.get(2))
        .as("parked, and longer ago than the retention of failures")
        .isEqualTo(new FailureGroup("cc", 0, Optional.empty(), Optional.empty(), 2));
    List<FailureGroup> pages = new ArrayList<>(queries.groups("", 1));
    pages.addAll(queries.groups("aa", 1));
    pages.addAll(queries.groups("bb", 1));
    assertThat(pages).isEqualTo(groups);
    assertThat(queries.groups("cc", 1)).isEmpty();
  }

  /** Of forty thousand failures of one cause it counts a share. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRESQL")
  void groupsAndHistoriesAreReadByIndexesOnly(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("ordered", "m-", 2_000);
    fixture.run("UPDATE shop.pb_inbox_stored SET signature = 'aa'");
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason, signature)"
            + " SELECT 'ordered', 'm-' || i, 1, 'FAILED', 'x', 'aa'"
            + " FROM generate_series(1, 40000) i");
    fixture.run("VACUUM ANALYZE shop.pb_inbox_failure");
    fixture.run("VACUUM ANALYZE shop.pb_inbox_stored");
    Explaining explaining = new Explaining(fixture.dataSource);
    FailureQueries<FailedAttempt, FailureGroup> queries = fixture.failures(explaining.dataSource());
    assertThat(queries.of("ordered", "m-17")).hasSize(1);
    List<FailureGroup> groups = queries.groups("", 100);

    assertThat(groups).hasSize(1);
    assertThat(groups.get(0).failures()).isEqualTo(FailureGroup.MOST_COUNTED);
    assertThat(groups.get(0).parked()).isEqualTo(2_000);
    assertThat(explaining.plans())
        .hasSize(4)
        .noneMatch(plan -> plan.contains("Seq Scan") || plan.contains("Bitmap"));
    assertThat(explaining.plans().get(0)).contains("using pb_inbox_failure_message_ix");
    assertThat(explaining.plans().subList(2, 4))
        .allMatch(plan -> plan.contains("using pb_inbox_failure_signature_ix"))
        .noneMatch(plan -> plan.contains("Sort"));
    assertThat(explaining.plans())
        .anyMatch(plan -> plan.contains("Index Only Scan using pb_inbox_stored_signature_ix"));
  }

  @ParameterizedTest
  @EnumSource(names = "H2")
  void aPageHasBoundsAndADatabaseThatFailsIsReported(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    for (int size : List.of(-1, 0, 101)) {
      assertThatThrownBy(() -> queries(fixture).groups("", size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A page has 1 to 100 groups, and not " + size);
    }
    fixture.run("DROP TABLE shop.pb_inbox_failure");
    assertThatThrownBy(() -> queries(fixture).of("shipping", "m-1"))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith("Recorded failures cannot be read: ");
  }
}
