package io.postbox.test;

import io.postbox.inbox.InboxContext;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.config.TestSettings;
import io.postbox.test.database.JtaDatabase;
import io.postbox.test.inbox.ListenerBean;
import jakarta.jms.BytesMessage;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Arrays;
import java.util.List;
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
 * {@code REQUIRED} have, whatever the bean says; the test gives the bean its injected fields (with
 * {@link PostboxTest}, CDI does: see {@link Postbox#inbox}); and a crash ends what the inbox knows
 * and has in hand, but not what the JVM does, so that a handler's own fields and static variables
 * survive it.
 */
public final class InboxHarness implements AutoCloseable, AfterEachCallback {
  private final Environment environment;
  private final boolean isOwn;
  private @Nullable ListenerBean bean;
  private @Nullable Deliveries described;

  InboxHarness(Environment environment, boolean isOwn) {
    this.environment = environment;
    this.isOwn = isOwn;
  }

  /** A harness on a new H2 database in memory. */
  public static InboxHarness onH2() {
    return new InboxHarness(new Environment(JtaDatabase::h2), true);
  }

  /**
   * A harness on a database of H2 or PostgreSQL, which the test empties afterwards: an empty one,
   * or one that another harness has worked on and left, as after a redeployment with other
   * settings.
   *
   * @param url for JDBC, with the driver on the class path
   * @throws IllegalArgumentException if it cannot be reached, or another harness is open on it
   */
  public static InboxHarness on(String url, String user, String password) {
    return new InboxHarness(
        new Environment(clock -> JtaDatabase.at(url, user, password, clock)), true);
  }

  /**
   * Changes a setting; before {@link #outbox}, {@link #context} and {@link #deliver}.
   *
   * @param key such as {@code postbox.inbox.consumer.shipping.max-attempts}
   * @return this
   */
  public InboxHarness setting(String key, String value) {
    environment.setting(key, value);
    return this;
  }

  /**
   * Runs statements of the test's own, each committed by itself: the application's tables, and rows
   * that the handler expects.
   *
   * @return this
   */
  public InboxHarness execute(String... statements) {
    environment.execute(statements);
    return this;
  }

  /** The database, whose connections take part in the delivery's transaction. */
  public DataSource dataSource() {
    return environment.database().dataSource();
  }

  /** The real outbox on the same database, for a handler that enqueues. Nothing relays it. */
  public Outbox outbox() {
    return environment.outbox().outbox();
  }

  /** The context that answers the handler about the message that it handles. */
  public InboxContext context() {
    return environment.context();
  }

  /** The test's clock. It moves by itself when a retry is awaited, and when a process restarts. */
  public TestClock clock() {
    return environment.clock();
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
    return environment.outbox().made(session -> session.createTextMessage(text));
  }

  /** A bytes message without properties, for handlers of messages that no outbox sends. */
  public BytesMessage bytesMessage() {
    return environment.outbox().made(Session::createBytesMessage);
  }

  /**
   * Describes deliveries of messages that an outbox sends, with its JSON and its properties.
   *
   * @param messages in their order; one without an id gets one
   */
  public Deliveries deliver(OutboxMessage... messages) {
    return deliver(
        Arrays.stream(messages).map(environment.outbox()::message).toArray(Message[]::new));
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

  /** A description that is never asked about has shown nothing. */
  void requireRun() {
    if (described != null && !described.isAsked()) {
      described = null;
      throw new IllegalStateException(
          "Deliveries were described and never made: end deliver(…) with effectsOnce(…), parked(),"
              + " quarantined(), retriedAfter(…) or run().");
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
    TestSettings.requireFor(environment.inbox().config(), chosen.consumer().name());
    return chosen;
  }

  Environment environment() {
    return environment;
  }

  /** Ends the harness and its database. */
  @Override
  public void close() {
    if (isOwn) {
      environment.close();
    }
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
