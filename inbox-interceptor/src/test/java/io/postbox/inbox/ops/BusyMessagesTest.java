package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.BusyRows;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.ErasureStore.Done;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.store.VersionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that a handler's transaction has, for as long as it runs, while operators act. */
class BusyMessagesTest {
  private KeptFixture fixture;
  private KeptDiscard discards;
  private KeptRows rows;

  private void on(TestDatabase database) throws SQLException {
    fixture = new KeptFixture(database);
    rows = new KeptRows(Kind.PARKED, fixture.config.tables());
    discards =
        new KeptDiscard(
            Kind.PARKED,
            fixture.config,
            rows,
            new IdRange(),
            new CapturedStore(dialect(database), fixture.config.tables(), KeptContents.CLEAR),
            new OrderedPlaces(
                fixture.config, new VersionStore(dialect(database), fixture.config.tables())));
    for (int i = 1; i <= 4; i++) {
      fixture.park(
          TestDelivery.of("m-" + i).to("ordered").with(new Aggregate("Order", "o-" + i, 1)));
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = fixture.dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private List<String> left() {
    return fixture.column(
        "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'PARKED' ORDER BY id");
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardGoesUpToTheAggregateThatAHandlerHas(TestDatabase database) throws SQLException {
    on(database);
    try (Connection first = begin()) { // so that it is known
      new VersionStore(Dialect.of(first, "inbox"), fixture.config.tables())
          .lock(first, "ordered", new Aggregate("Order", "o-3", 1), 1);
      first.commit();
    }
    try (Connection handler = begin();
        Connection operator = begin()) {
      new VersionStore(Dialect.of(handler, "inbox"), fixture.config.tables())
          .lock(handler, "ordered", new Aggregate("Order", "o-3", 1), 1);

      assertThat(discards.discard(operator, KeptFilter.all(), List.of(1L, 2L, 3L, 4L)))
          .isEqualTo(new Done(2, 2));
      operator.commit();
      assertThat(left()).containsExactly("m-3", "m-4");
      handler.commit();
      assertThat(discards.discard(operator, KeptFilter.all(), List.of(3L, 4L)))
          .isEqualTo(new Done(2, 2));
      operator.commit();
    }
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardGoesUpToTheMessageThatAHandlerReleases(TestDatabase database) throws SQLException {
    on(database);
    try (Connection handler = begin();
        Connection operator = begin()) {
      release(handler, 2);

      assertThat(discards.discard(operator, KeptFilter.all(), List.of(1L, 2L, 3L)))
          .isEqualTo(new Done(1, 1));
      operator.commit();
      handler.commit();
      assertThat(discards.discard(operator, KeptFilter.all(), List.of(2L, 3L)))
          .isEqualTo(new Done(1, 2));
      operator.commit();
    }
    assertThat(left()).containsExactly("m-4");
  }

  /** A handler may have the first message, or its row, for as long as it runs. */
  @ParameterizedTest
  @EnumSource
  void whoeverWaitsForTheFirstMessageHasNoOther(TestDatabase database) throws SQLException {
    on(database);
    VersionStore versions = versions(database);
    try (Connection known = begin()) {
      for (int i = 1; i <= 4; i++) {
        versions.lock(known, "ordered", new Aggregate("Order", "o-" + i, 1), 1);
      }
      known.commit();
    }
    for (boolean isDiscard : List.of(true, false)) { // else it is redriven
      int[] waits = {0};
      try (Connection handler = begin();
          Connection operator = begin();
          Connection other = begin()) {
        release(handler, 1);
        Connection watched =
            KeptFixture.proxy(
                Connection.class,
                operator,
                (method, arguments) -> {
                  if (arguments != null
                      && arguments[0] instanceof String sql
                      && sql.contains("pb_inbox_stored")
                      && sql.strip().endsWith("FOR UPDATE")) {
                    waits[0]++;
                    assertThat(
                            versions.lockUnlessBusy(
                                other, "ordered", new Aggregate("Order", "o-2", 1), 1))
                        .isPresent();
                    assertThat(rows.lock(other, KeptFilter.all(), List.of(2L, 3L, 4L), false))
                        .hasSize(3);
                    other.rollback();
                    handler.rollback();
                  }
                  return KeptFixture.call(operator, method, arguments);
                });
        List<Long> all = List.of(1L, 2L, 3L, 4L);
        if (isDiscard) {
          assertThat(discards.discard(watched, KeptFilter.all(), all).through()).isEqualTo(1);
        } else {
          assertThat(rows.lock(watched, 1)).isPresent();
        }
        assertThat(waits[0]).isEqualTo(1);
        operator.rollback();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardWaitsForNoAggregateThatAHandlerBegins(TestDatabase database) throws SQLException {
    on(database);
    try (Connection handler = begin();
        Connection operator = begin()) {
      VersionStore versions = versions(database);
      versions.lock(handler, "ordered", new Aggregate("Order", "o-3", 1), 1);
      BusyRows.limitWaits(operator, dialect(database), Duration.ofSeconds(1));

      assertThat(discards.discard(operator, KeptFilter.all(), List.of(1L, 2L, 3L, 4L)))
          .isEqualTo(new Done(1, 1));
      operator.commit();
      handler.rollback();
    }
    assertThat(left()).containsExactly("m-2", "m-3", "m-4");
  }

  private VersionStore versions(TestDatabase database) {
    return new VersionStore(dialect(database), fixture.config.tables());
  }

  private static Dialect dialect(TestDatabase database) {
    return database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
  }

  private static void release(Connection handler, long id) throws SQLException {
    try (Statement statement = handler.createStatement()) {
      statement.executeUpdate(
          "UPDATE shop.pb_inbox_stored SET status = 'HANDED_BACK' WHERE id = " + id);
    }
  }
}
