package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.FailureQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.NewIds;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.FailureStore;
import io.postbox.inbox.store.FailureViews;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.InboxStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptStore;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.store.VersionStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database with messages that are kept aside, and a broker that notes what it is sent. */
final class KeptFixture {
  static final String WHO = "ada";
  static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || module || '"
          + " ' || service FROM shop.pb_postbox_audit";

  final InboxConfig config =
      TestConfig.of(
          "shop",
          Map.of(
              "schema", "shop",
              "table-prefix", "pb_",
              "create-tables", "true",
              "consumer.ordered.order", "version",
              "consumer.eager.capture.on-parked", "continue"));
  final List<Outgoing> sent = new ArrayList<>();
  final List<String> statements = new ArrayList<>();
  final KeptQueries parked;
  final KeptQueries quarantined;
  final DataSource dataSource;
  Consumer<Outgoing> broker = message -> {};
  Optional<PayloadCipher> cipher = Optional.empty();
  final SettableClock clock = new SettableClock();

  /** Happens before a statement that deletes stored messages. */
  Runnable beforeDelete = () -> {};

  int commits;
  int commitsUntilLoss = Integer.MAX_VALUE;

  private final TestDatabase database;
  private final String url;
  final KeptContents contents = new KeptContents(() -> cipher);

  KeptFixture(TestDatabase database) throws SQLException {
    this.database = database;
    url = database.freshUrl();
    run("CREATE SCHEMA shop");
    try (Connection connection = TestDatabase.connect(url)) {
      new Schema(Dialect.of(connection, "inbox"), config).prepare(connection);
    }
    dataSource = proxy(DataSource.class, this, this::onDataSource);
    parked = new KeptQueries(Kind.PARKED, config, dataSource, contents, StoredMessage::text);
    quarantined =
        new KeptQueries(Kind.QUARANTINED, config, dataSource, contents, StoredMessage::text);
  }

  KeptQueries parked(DataSource from) {
    return new KeptQueries(Kind.PARKED, config, from, contents, StoredMessage::text);
  }

  OperatorCalls calls(DataSource from) {
    return new OperatorCalls(LocalTransactions.retryingConflicts(from), InboxLog::failure);
  }

  Dialect dialect() {
    return database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
  }

  FailureQueries<FailedAttempt, FailureGroup> failures(DataSource from) {
    return new FailureQueries<>(
        calls(from), new FailureViews(dialect(), config.tables(), contents));
  }

  LookupQueries lookup(DataSource from) {
    return new LookupQueries(calls(from), config, contents);
  }

  KeptActions actions(Kind kind) {
    return actions(kind, dataSource);
  }

  KeptActions actions(Kind kind, DataSource from) {
    BackgroundActions node = background(from, InstantSource.system());
    node.runner().runIfDue(Runnable::run); // from now on it is woken
    return new KeptActions(kind, node);
  }

  BackgroundActions background(DataSource from, InstantSource nodesClock) {
    return new BackgroundActions(
        dialect(),
        config,
        from,
        new IdRange(),
        contents,
        sender(),
        new byte[] {1, 2, 3},
        nodesClock);
  }

  private KeptSender sender() {
    return new KeptSender() {
      @Override
      public void send(Outgoing message) {
        arrives(message);
        broker.accept(message);
        sent.add(message);
      }

      @Override
      public Optional<String> firstId(String properties) {
        return NewIds.first(properties);
      }
    };
  }

  /**
   * The broker delivers at once, and such a delivery must find nothing in its way: its copy is
   * claimed, can be handled, wait for earlier versions or be parked. It rolls back.
   */
  private void arrives(Outgoing message) {
    Dialect dialect = dialect();
    KeptStore store = new KeptStore(dialect, config.tables(), contents);
    Delivery delivery =
        TestDelivery.of(message.id())
            .to(message.consumer())
            .with(storedFingerprint(message).orElse(TestDelivery.FINGERPRINT))
            .with(message.stored())
            .delivery();
    try (Connection beside = TestDatabase.connect(url)) {
      beside.setAutoCommit(false);
      assertThat(
              new FailureStore(dialect, config.tables(), contents.texts())
                  .of(beside, message.consumer(), message.id())
                  .counted())
          .as("failures from before the redrive")
          .isZero();
      assertThat(
              new VersionStore(dialect, config.tables())
                  .fingerprintOfWaiting(beside, message.consumer(), message.id()))
          .as("it does not wait, it is here")
          .isEmpty();
      assertThat(store.claim(beside, message.stored())).contains(message.consumer());
      assertThat(
              store.park(
                  beside,
                  new Parked(delivery, message.id(), ParkReason.REJECTED, "why", "5ef0", 1),
                  false))
          .as("it can be parked again")
          .isEmpty();
      beside.rollback();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Ends messages that were handed back, as their copies' handlers do. */
  void handleAll() {
    run("DELETE FROM shop.pb_inbox_stored WHERE status = 'HANDED_BACK'");
  }

  private Optional<Fingerprint> storedFingerprint(Outgoing message) {
    return column(
            "SELECT DISTINCT %s FROM shop.pb_inbox_stored WHERE consumer = '%s' AND message_id = '%s'"
                .formatted(
                    database == TestDatabase.H2
                        ? "RAWTOHEX(fingerprint)"
                        : "encode(fingerprint, 'hex')",
                    message.consumer(),
                    message.id()))
        .stream()
        .findFirst()
        .map(sha256 -> new Fingerprint(1, sha256));
  }

  KeptActions onParked() {
    return actions(Kind.PARKED);
  }

  KeptPlan plan() {
    return planParked(KeptFilter.all());
  }

  KeptPlan planParked(KeptFilter filter) {
    return background(dataSource, clock).plan(parked.plan(filter), WHO);
  }

  KeptPlan planQuarantined(KeptFilter filter) {
    return background(dataSource, clock).plan(quarantined.plan(filter), WHO);
  }

  /** Lets a plan expire. */
  void expire(PlanToken token) throws SQLException {
    run(
        "UPDATE shop.pb_inbox_action SET finished_at = CURRENT_TIMESTAMP WHERE id = '%s'"
            .formatted(token.id()));
  }

  Gaps gaps(DataSource from) {
    return new Gaps(database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL, config, from);
  }

  HandBack release(DataSource from) {
    return new HandBack(config, from, contents, sender());
  }

  /** Parks a message as a delivery does. */
  void park(TestDelivery kept) throws SQLException {
    park(kept, ParkReason.REJECTED);
  }

  /** Parks a message as a delivery does. */
  void park(TestDelivery kept, ParkReason reason) throws SQLException {
    Delivery delivery = kept.delivery();
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(true);
      new KeptStore(Dialect.of(connection, "inbox"), config.tables(), contents)
          .park(
              connection,
              new Parked(delivery, delivery.knownId().orElseThrow(), reason, "why", "5ef0", 1),
              false);
    }
  }

  /** Stores a message until its retry is due, as a delivery does. */
  void delay(TestDelivery failed, Duration delay) throws SQLException {
    Delivery delivery = failed.delivery();
    DelayedRetry retry = new DelayedRetry(delivery.knownId().orElseThrow(), delay, 1, 0);
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(true);
      new KeptStore(dialect(), config.tables(), contents).delay(connection, delivery, retry, true);
    }
  }

  /** Does something while another transaction has a row. */
  void whileLocked(long id, Runnable something) throws SQLException {
    whileLocked(
        "SELECT id FROM shop.pb_inbox_stored WHERE id = %s FOR UPDATE".formatted(id), something);
  }

  /** Does something while another transaction has the rows of a query. */
  void whileLocked(String query, Runnable something) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        PreparedStatement lock = connection.prepareStatement(query)) {
      connection.setAutoCommit(false);
      lock.executeQuery().close();
      something.run();
      connection.rollback();
    }
  }

  /** Whether a copy would be handled. */
  boolean claims(StoredRow copy) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(false);
      boolean isClaimed =
          new KeptStore(dialect(), config.tables(), contents).claim(connection, copy).isPresent();
      connection.rollback();
      return isClaimed;
    }
  }

  /** Records a message as a handler's transaction does. */
  void handle(Delivery delivery) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(true);
      new InboxStore(Dialect.of(connection, "inbox"), config.tables())
          .insertIfAbsent(
              connection, delivery, delivery.knownId().orElseThrow(), Outcome.PROCESSED);
    }
  }

  /** Parks messages with the ids {@code prefix}1 and on. */
  void park(String consumer, String prefix, int howMany) {
    run(
        """
        INSERT INTO shop.pb_inbox_stored
          (status, captured, precedence, headers, size, kept_at, consumer, message_id, reason, error,
           attempts, source, event_type, aggregate_type, aggregate_id, aggregate_version, fingerprint,
           fingerprint_version, destination, body_type, payload_text, properties)
        SELECT 'PARKED', FALSE, 5, '{}', 0, CURRENT_TIMESTAMP, '%s', '%s' || i, 'REJECTED', 'AMQ229032: 100%% refused_', 3, 'shop', 'OrderPlaced',
          'Order', '7', i, %s, 1, 'queue:SHIPPING', 'TEXT', 'body ' || i,
          '{"headers":{},"properties":{}}'
        FROM %s n ORDER BY i
        """
            .formatted(consumer, prefix, fingerprint(), numbers(howMany)));
  }

  /** Keeps deliveries aside, the odd ones without an id. */
  void quarantine(String consumer, int howMany) {
    run(
        """
        INSERT INTO shop.pb_inbox_stored
          (status, captured, precedence, headers, size, kept_at, variant, consumer, message_id, reason,
           fingerprint, fingerprint_version, stored_fingerprint, stored_fingerprint_version,
           destination, body_type, payload_text, properties)
        SELECT 'QUARANTINED', FALSE, 5, '{}', 0, CURRENT_TIMESTAMP, '1.%s', '%s', CASE WHEN MOD(i, 2) = 0 THEN 'id-' || i END,
          CASE WHEN MOD(i, 2) = 0 THEN 'OTHER_CONTENT' ELSE 'MISSING_ID' END, %s, 1, %s, 1,
          'queue:SHIPPING', 'TEXT', 'body ' || i, '{"headers":{},"properties":{}}'
        FROM %s n ORDER BY i
        """
            .formatted("ab".repeat(32), consumer, fingerprint(), fingerprint(), numbers(howMany)));
  }

  /** Whether the order of Order 7 lets a version go after another. */
  boolean lets(long last, long version) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      return new VersionStore(Dialect.of(connection, "inbox"), config.tables())
          .allDiscarded(connection, "ordered", new Aggregate("Order", "7", version), last);
    }
  }

  String numbers(int howMany) {
    return database == TestDatabase.H2
        ? "(SELECT X AS i FROM SYSTEM_RANGE(1, %s))".formatted(howMany)
        : "(SELECT generate_series AS i FROM generate_series(1, %s))".formatted(howMany);
  }

  String fingerprint() {
    return database == TestDatabase.H2
        ? "X'" + "ab".repeat(32) + "'"
        : "'\\x" + "ab".repeat(32) + "'::bytea";
  }

  /** Runs a statement beside all others. */
  int run(String sql) {
    try (Connection connection = TestDatabase.connect(url);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.executeUpdate();
    } catch (SQLException failed) {
      throw new IllegalStateException(sql + ": " + failed.getMessage(), failed);
    }
  }

  /** The first column of each row, as text. */
  List<String> column(String sql) {
    try (Connection connection = TestDatabase.connect(url);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  /** How many messages of a kind are kept aside. */
  int count(Kind kind) {
    return Integer.parseInt(
        column(
                "SELECT COUNT(*) FROM shop.pb_inbox_stored WHERE status IN (%s)"
                    .formatted(kind == Kind.PARKED ? "'PARKED', 'EARLY'" : "'QUARANTINED'"))
            .get(0));
  }

  int count(String table) {
    return Integer.parseInt(column("SELECT COUNT(*) FROM shop.pb_" + table).get(0));
  }

  private @Nullable Object onDataSource(Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "getConnection" -> {
        Connection real = TestDatabase.connect(url);
        yield proxy(Connection.class, real, (called, given) -> onConnection(real, called, given));
      }
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private @Nullable Object onConnection(
      Connection real, Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getName().equals("prepareStatement")) {
      String sql = (String) arguments[0];
      statements.add(sql);
      if (sql.startsWith("DELETE FROM shop.pb_inbox_stored")) {
        beforeDelete.run();
      }
    }
    if (method.getName().equals("commit")) {
      if (commitsUntilLoss-- == 0) {
        real.rollback();
        throw new SQLException("the connection was lost at commit", "08006");
      }
      commits++;
    }
    return call(real, method, arguments);
  }

  interface Answer {
    @Nullable Object to(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  static <T> T proxy(Class<T> type, Object target, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? call(target, method, arguments)
                    : answer.to(method, arguments)));
  }

  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
