package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.UncapturedException;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.PayloadEncoders;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that a connector is to send, in PostgreSQL's log and table. */
class ReplicationSlotStoreTest {
  private static final TableNames TABLES = new TableNames("shop", "pb_");
  private static final String SLOT = "shop_slot";
  private static final Pattern CHANGE =
      Pattern.compile("table shop.pb_outbox_message: (\\w+):.* id\\[uuid\\]:'([^']+)'");

  private StoreFixture store;
  private final ReplicationSlotStore slot = new ReplicationSlotStore(TABLES, SLOT);
  private final SwitchStore switches = new SwitchStore(Dialect.POSTGRESQL, TABLES);
  private final Enqueuer enqueuer =
      new Enqueuer(
          new MessageStore(Dialect.POSTGRESQL, TABLES),
          InstantSource.system(),
          16,
          PayloadEncoders.plain(1_000, String::valueOf),
          Destinations.ANY,
          Optional.of(slot),
          Optional.empty());

  @BeforeEach
  void makeTables() throws SQLException {
    store = new StoreFixture(TestDatabase.POSTGRESQL);
  }

  private void makeSlot() {
    store.rows.execute(
        "SELECT pg_create_logical_replication_slot('%s', 'test_decoding')".formatted(SLOT));
  }

  private static List<OutboxMessage> messages(int howMany) {
    return IntStream.range(0, howMany)
        .mapToObj(i -> OutboxMessage.to("d").aggregate("Order", i % 3).text("x" + i))
        .toList();
  }

  /** Writes in one transaction and commits. */
  private List<UUID> enqueue(DataSource dataSource, List<OutboxMessage> messages)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<UUID> ids = write(connection, messages);
      connection.commit();
      return ids;
    }
  }

  private List<UUID> write(Connection connection, List<OutboxMessage> messages)
      throws SQLException {
    var prepared = messages.stream().map(enqueuer::prepare).toList();
    enqueuer.write(
        connection, prepared, messages.stream().allMatch(message -> message.id().isEmpty()));
    return prepared.stream().map(it -> it.envelope().id()).toList();
  }

  /** The ids of the messages whose inserts the slot has, in its order; it then goes on behind. */
  private List<UUID> inserts() throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (Connection connection = store.dataSource.getConnection();
        PreparedStatement changes =
            connection.prepareStatement(
                "SELECT data FROM pg_logical_slot_get_changes('%s', NULL, NULL)".formatted(SLOT));
        ResultSet row = changes.executeQuery()) {
      while (row.next()) {
        CHANGE
            .matcher(row.getString(1))
            .results()
            .filter(it -> it.group(1).equals("INSERT"))
            .map((MatchResult it) -> UUID.fromString(it.group(2)))
            .forEach(ids::add);
      }
    }
    return ids;
  }

  private int waiting() {
    return store.rows.count("outbox_message");
  }

  @Test
  void commitsAreInTheLogInTheirOrderAndNotInTheTable() throws SQLException {
    makeSlot();
    List<UUID> ids = new ArrayList<>(enqueue(store.dataSource, messages(1)));
    ids.addAll(enqueue(store.dataSource, messages(100)));
    ids.addAll(
        enqueue(
            store.dataSource, messages(3).stream().map(it -> it.id(UUID.randomUUID())).toList()));

    assertThat(waiting()).isZero();
    assertThat(inserts()).isEqualTo(ids);
  }

  @Test
  void rolledBackMessagesAreInNeither() throws SQLException {
    makeSlot();
    try (Connection connection = store.begin()) {
      write(connection, messages(3));
      connection.rollback();
    }
    assertThat(waiting()).isZero();
    assertThat(inserts()).isEmpty();
  }

  @Test
  void aTransactionWithMessagesIsOneStatementLonger() throws SQLException {
    makeSlot();
    CountingDataSource counting = new CountingDataSource(store.dataSource);
    enqueue(counting.dataSource(), messages(1));
    assertThat(counting.statements()).isEqualTo(2);
    enqueue(counting.dataSource(), messages(100));
    assertThat(counting.statements()).isEqualTo(4);
  }

  @Test
  void withoutASlotNothingIsTaken() throws SQLException {
    try (Connection connection = store.begin()) {
      assertThatThrownBy(() -> write(connection, messages(2)))
          .isInstanceOf(UncapturedException.class)
          .hasMessageStartingWith("A list of 2 messages that begins with message ")
          .hasMessageContaining("no logical replication slot 'shop_slot'")
          .hasMessageContaining("marked for rollback");
      assertThatThrownBy(() -> write(connection, messages(1)))
          .isInstanceOf(UncapturedException.class)
          .hasMessageStartingWith("message ");
      connection.rollback();
    }
    assertThat(waiting()).isZero();
    try (Connection connection = store.begin()) {
      assertThat(slot.lag(connection)).isEmpty();
    }
  }

  /** Nothing of these is given to a connector to this database. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT pg_create_physical_replication_slot('shop_slot', TRUE)",
        "SELECT pg_create_logical_replication_slot('other_slot', 'test_decoding')",
        "SELECT pg_create_logical_replication_slot('shop_slot', 'test_decoding', TRUE)",
      })
  void anotherSlotIsNone(String another) throws SQLException {
    try (Connection connection = store.begin();
        Statement statement = connection.createStatement()) {
      statement.execute(another);
      assertThatThrownBy(() -> write(connection, messages(1)))
          .isInstanceOf(UncapturedException.class);
      connection.rollback();
      statement.execute(
          "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
              + " WHERE slot_name = 'shop_slot'");
    }
  }

  @Test
  void aSlotOfAnotherDatabaseIsNone() throws SQLException {
    StoreFixture other = new StoreFixture(TestDatabase.POSTGRESQL);
    other.rows.execute(
        "SELECT pg_create_logical_replication_slot('%s', 'test_decoding')".formatted(SLOT));
    try (Connection connection = store.begin()) {
      assertThatThrownBy(() -> write(connection, messages(1)))
          .isInstanceOf(UncapturedException.class);
      connection.rollback();
    }
  }

  /** An id is looked for as long as its row is there, which is to the end of its list. */
  @Test
  void anIdTwiceInAListIsRefusedAndLaterItIsTheInboxThatSkipsIt() throws SQLException {
    makeSlot();
    UUID id = UUID.randomUUID();
    OutboxMessage message = messages(1).get(0).id(id);
    UUID before = UUID.randomUUID();
    try (Connection connection = store.begin()) {
      assertThatThrownBy(
              () -> write(connection, List.of(messages(1).get(0).id(before), message, message)))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining("its id is still in the outbox");
      connection.commit();
    }
    assertThat(waiting()).as("also of what the caller commits all the same").isZero();
    assertThat(inserts()).containsExactly(before, id);

    enqueue(store.dataSource, List.of(message));
    enqueue(store.dataSource, List.of(message));
    assertThat(inserts()).containsExactly(id, id);
  }

  @Test
  void theLagIsWhatTheConnectorHasNotConfirmed() throws SQLException {
    makeSlot();
    enqueue(store.dataSource, messages(100));
    try (Connection connection = store.begin()) {
      assertThat(slot.lag(connection))
          .hasValueSatisfying(it -> assertThat(it).isGreaterThan(5_000));
    }
    store.rows.execute("SELECT pg_replication_slot_advance('shop_slot', pg_current_wal_lsn())");
    try (Connection connection = store.begin()) {
      assertThat(slot.lag(connection)).hasValueSatisfying(it -> assertThat(it).isLessThan(5_000));
    }
  }

  @Test
  void anOrdinaryUserMayLookAtTheSlot() throws SQLException {
    makeSlot();
    String user = "clerk_" + UUID.randomUUID().toString().replace("-", "");
    store.rows.execute("CREATE ROLE " + user);
    store.rows.execute("GRANT USAGE ON SCHEMA shop TO " + user);
    store.rows.execute("GRANT SELECT, INSERT, DELETE ON shop.pb_outbox_message TO " + user);
    try (Connection connection = store.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL ROLE " + user);
      write(connection, messages(2));
      assertThat(slot.lag(connection)).isPresent();
      assertThat(switches.isAnyWaiting(connection)).isFalse();
      connection.rollback();
      statement.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(user));
      connection.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PENDING", "DELAYED", "HELD"})
  void messagesThatWaitForARelayAreLeft(String status) throws SQLException {
    store.insert("d", null);
    for (String other : List.of("SENT", "DEAD", status)) {
      store.rows.execute("UPDATE shop.pb_outbox_message SET status = '%s'".formatted(other));
      try (Connection connection = store.begin()) {
        assertThat(switches.isAnyWaiting(connection)).isEqualTo(other.equals(status));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SET plan_cache_mode = force_generic_plan;"})
  void aMessageIsDeletedByItsIdBesideManyOthers(String settings) throws SQLException {
    makeSlot();
    store.rows.execute(
        """
        INSERT INTO shop.pb_outbox_message (partition_no, id, destination, content_type, headers)
        SELECT 0, gen_random_uuid(), 'd', 'text/plain', '{}' FROM generate_series(1, 20000)
        """);
    PlanRecorder recorder = new PlanRecorder(store.dataSource, settings);
    DataSource dataSource = recorder.dataSource();
    for (int howMany : List.of(1, 100)) {
      enqueue(dataSource, messages(howMany));
      List<Execution> deletes =
          recorder.take().stream().filter(it -> it.sql().startsWith("DELETE")).toList();

      assertThat(deletes)
          .singleElement()
          .satisfies(
              delete -> {
                if (howMany == 1) { // of a list the whole table may be less to read
                  assertThat(delete.steps())
                      .anyMatch(step -> step.contains("pb_outbox_message_id_uq"))
                      .noneMatch(step -> step.startsWith("Seq Scan pb_outbox_message"));
                }
                assertThat(delete.pages()).isLessThan(20L + 10L * howMany);
              });
    }
  }
}
