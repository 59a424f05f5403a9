package io.postbox.test;

import io.postbox.common.server.TransactionTrial;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.broker.MemoryBroker;
import io.postbox.test.config.TestSettings;
import io.postbox.test.database.JtaDatabase;
import io.postbox.test.database.Transactions;
import io.postbox.test.inbox.InboxProcess;
import io.postbox.test.inbox.ListenerBean;
import io.postbox.test.outbox.OutboxProcess;
import io.postbox.test.store.Effects;
import jakarta.jms.BytesMessage;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Delivers messages to a bean with {@code @Inbox} as brokers and crashes do, and shows whether its
 * effects happen once. The inbox in between is the real one, on H2 or PostgreSQL; the bean's
 * transaction is a JTA transaction.
 *
 * <pre>{@code
 * @RegisterExtension
 * final InboxHarness inbox =
 *     InboxHarness.onH2().execute("CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)");
 *
 * @Test
 * void anOrderIsShippedOnce() {
 *   inbox
 *       .handler(new ShippingMdb(inbox.dataSource()))
 *       .deliver(OutboxMessage.to("shipping").event("OrderPlaced").text("A-1"))
 *       .inEveryWay()
 *       .effectsOnce("SELECT COUNT(*) FROM shipment WHERE order_id = 'A-1'");
 * }
 * }</pre>
 *
 * <p>Each test has a harness and a database of its own: a field that is not static, with
 * {@code @RegisterExtension}, or a variable of a try-with-resources statement.
 *
 * <p>Where it differs from a server: each delivery has a transaction as container-managed ones with
 * {@code REQUIRED} have, whatever the bean says; what the bean is injected with, the test gives it
 * ; and a crash ends what the inbox knows and has in hand, but not what the JVM does, so that a
 * handler's own fields and static variables survive it.
 */
public final class InboxHarness implements AutoCloseable, AfterEachCallback {
  private final Map<String, String> settings = new HashMap<>();
  private final TestClock clock = new TestClock();
  private final JtaDatabase database;
  private final MemoryBroker broker = new MemoryBroker(clock, Transactions.registry());
  private @Nullable OutboxProcess outbox;
  private @Nullable InboxDatabase inbox;
  private @Nullable ListenerBean bean;
  private @Nullable Deliveries described;

  private InboxHarness(Function<TestClock, JtaDatabase> make) {
    database = make.apply(clock);
    clock.onMove(database::tell);
  }

  /** A harness on a new H2 database in memory. */
  public static InboxHarness onH2() {
    return new InboxHarness(JtaDatabase::h2);
  }

  /**
   * A harness on an empty database of H2 or PostgreSQL, which the test empties afterwards.
   *
   * @param url for JDBC, with the driver on the class path
   * @throws IllegalArgumentException if it cannot be reached, or is not empty
   */
  public static InboxHarness on(String url, String user, String password) {
    return new InboxHarness(clock -> JtaDatabase.at(url, user, password, clock));
  }

  /**
   * Changes a setting; before {@link #outbox}, {@link #context} and {@link #deliver}.
   *
   * @param key such as {@code postbox.inbox.consumer.shipping.max-attempts}
   * @return this
   */
  public InboxHarness setting(String key, String value) {
    if (inbox != null || outbox != null) {
      throw new IllegalStateException(
          "The harness has started with its settings: call setting(…) first.");
    }
    settings.put(key, value);
    return this;
  }

  /**
   * Runs statements of the test's own, each committed by itself: the application's tables, and rows
   * that the handler expects.
   *
   * @return this
   */
  public InboxHarness execute(String... statements) {
    Arrays.stream(statements).forEach(new Effects(database.dataSource())::execute);
    return this;
  }

  /** The database, whose connections take part in the delivery's transaction. */
  public DataSource dataSource() {
    return database.dataSource();
  }

  /** The real outbox on the same database, for a handler that enqueues. Nothing relays it. */
  public Outbox outbox() {
    return startedOutbox().outbox();
  }

  /** What the handler can ask about the message that it handles. */
  public InboxContext context() {
    return InboxProcess.context(startedInbox());
  }

  /** The test's clock. It moves by itself when a retry is awaited, and when a process restarts. */
  public TestClock clock() {
    return clock;
  }

  /**
   * The bean to deliver to.
   *
   * @param listener with {@code @Inbox} on its class or method, and one method that takes a {@code
   *     jakarta.jms.Message}
   * @return this
   * @throws IllegalArgumentException if it is no such bean, or has {@code mode = CAPTURE}
   */
  public InboxHarness handler(Object listener) {
    return handler(ListenerBean.of(listener.getClass(), () -> listener));
  }

  InboxHarness handler(ListenerBean listener) {
    bean = listener;
    return this;
  }

  /** A text message without properties, for handlers of messages that no outbox sends. */
  public TextMessage textMessage(String text) {
    return startedOutbox().made(session -> session.createTextMessage(text));
  }

  /** A bytes message without properties, for handlers of messages that no outbox sends. */
  public BytesMessage bytesMessage() {
    return startedOutbox().made(Session::createBytesMessage);
  }

  /**
   * Describes deliveries of messages that an outbox sends, with its JSON and its properties.
   *
   * @param messages in their order; one without an id gets one
   */
  public Deliveries deliver(OutboxMessage... messages) {
    return deliver(Arrays.stream(messages).map(startedOutbox()::message).toArray(Message[]::new));
  }

  /**
   * Describes deliveries of any messages.
   *
   * @param messages in their order, made by {@link #textMessage} or {@link #bytesMessage}
   */
  public Deliveries deliver(Message... messages) {
    requireRun();
    Deliveries deliveries = new Deliveries(this, List.of(messages));
    described = deliveries;
    return deliveries;
  }

  private void requireRun() {
    if (described != null && !described.isAsked()) {
      described = null;
      throw new IllegalStateException(
          "Deliveries were described and never made: end deliver(…) with effectsOnce(…), parked(), quarantined(), retriedAfter(…) or run().");
    }
  }

  /**
   * The bean to deliver to.
   *
   * @throws IllegalStateException if there is none, or a setting is for another consumer
   */
  ListenerBean bean() {
    ListenerBean chosen = bean;
    if (chosen == null) {
      throw new IllegalStateException("There is no handler: call handler(…) before deliver(…).");
    }
    TestSettings.requireFor(startedInbox().config(), chosen.consumer().name());
    return chosen;
  }

  MemoryBroker broker() {
    return broker;
  }

  InboxDatabase startedInbox() {
    InboxDatabase started = inbox;
    if (started == null) {
      started =
          new InboxDatabase(
              new TestSettings(settings).inbox(),
              database.dataSource(),
              new TransactionTrial(() -> Optional.of(Transactions.user())));
      started.encryptWith(Optional::empty);
      started.prepare();
      if (started.stores().isEmpty()) {
        throw new IllegalStateException("The inbox is not ready: " + started.problem());
      }
      inbox = started;
    }
    return started;
  }

  private OutboxProcess startedOutbox() {
    OutboxProcess started = outbox;
    if (started == null) {
      started =
          new OutboxProcess(
              new TestSettings(settings).outbox(),
              database,
              broker,
              clock,
              Optional.empty(),
              Optional.empty());
      outbox = started;
    }
    return started;
  }

  /** Ends the harness and its database. */
  @Override
  public void close() {
    database.close();
  }

  /**
   * Ends the harness after a test.
   *
   * @throws IllegalStateException if deliveries were described and never made
   */
  @Override
  public void afterEach(ExtensionContext context) {
    try (this) {
      requireRun();
    }
  }
}
