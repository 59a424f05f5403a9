package io.postbox.test;

import io.postbox.inbox.message.Consumer;
import io.postbox.test.broker.MemoryBroker.Waiting;
import io.postbox.test.database.Transactions;
import io.postbox.test.inbox.InboxProcess;
import io.postbox.test.inbox.InboxProcess.Rollback;
import io.postbox.test.inbox.ListenerBean;
import io.postbox.test.store.Effects;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.jms.Message;
import jakarta.transaction.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages travel and time pass in a test with {@link PostboxTest}. Nothing is sent or
 * delivered unless the test says so. Used by the test's thread.
 */
public final class Postbox {
  private final Environment environment;
  private final List<ListenerBean> listeners;
  private final List<InboxHarness> harnesses = new ArrayList<>();
  private @Nullable InboxProcess process;

  Postbox(Environment environment, List<ListenerBean> listeners) {
    this.environment = environment;
    this.listeners = listeners;
  }

  /**
   * Relays and delivers all messages that are due, and those that these cause, until none is left.
   * A delayed retry is left for {@link #advance}.
   *
   * @return this
   * @throws IllegalStateException within a transaction, whose messages nobody could see
   */
  public Postbox settle() {
    if (Transactions.registry().getTransactionStatus() != Status.STATUS_NO_TRANSACTION) {
      throw new IllegalStateException(
          "A transaction is active on this thread, so that nobody sees its messages: end it before settle().");
    }
    boolean moved = true;
    while (moved) {
      moved = environment.outbox().send() > 0;
      for (ListenerBean listener : listeners) {
        moved |= deliverAll(listener);
      }
      moved |= process != null && process.handBack();
    }
    return this;
  }

  private boolean deliverAll(ListenerBean listener) {
    boolean any = false;
    for (Optional<Waiting> next = take(listener); next.isPresent(); next = take(listener)) {
      any = true;
      Optional<Rollback> rolledBack =
          process().deliver(listener.consumer(), next.get().delivered(), listener.handler());
      if (rolledBack.isPresent()) {
        environment.broker().putBack(next.get(), rolledBack.get().pause());
      }
    }
    return any;
  }

  private Optional<Waiting> take(ListenerBean listener) {
    return environment.broker().take(listener.queue());
  }

  private InboxProcess process() {
    InboxProcess running = process;
    if (running == null) {
      running =
          new InboxProcess(
              environment.inbox(),
              environment.broker(),
              environment.clock(),
              consumers(),
              event -> {},
              delay -> {});
      process = running;
    }
    return running;
  }

  /**
   * Lets time pass, and then all happen that is due: delayed retries of outbox and inbox, and
   * messages whose {@code notBefore} has come.
   *
   * @param time zero or more
   * @return this
   */
  public Postbox advance(Duration time) {
    environment.clock().advance(time);
    return settle();
  }

  /** The test's clock. */
  public TestClock clock() {
    return environment.clock();
  }

  /** The test's database, whose connections take part in JTA transactions. */
  public DataSource dataSource() {
    return environment.database().dataSource();
  }

  /**
   * Runs statements, each committed by itself.
   *
   * @return this
   */
  public Postbox execute(String... statements) {
    environment.execute(statements);
    return this;
  }

  /**
   * The number that a query returns.
   *
   * @throws IllegalArgumentException unless it returns one row with one number
   */
  public long count(String query) {
    return new Effects(dataSource()).count(query);
  }

  /** Runs work in a transaction, which rolls back if the work throws an exception. */
  public void inTransaction(Runnable work) {
    inTransaction(
        () -> {
          work.run();
          return true;
        });
  }

  /**
   * Runs work that returns something as {@link #inTransaction(Runnable)} does.
   *
   * @return the work's result
   */
  public <T> T inTransaction(Supplier<T> work) {
    return Transactions.required(work);
  }

  /**
   * Copies of the messages in a queue: those that no bean of the test receives, or that wait to be
   * delivered. A message that waits for its retry is in the inbox's table.
   *
   * @param queue its JNDI name, such as {@code jms/billing}
   */
  public List<Message> messagesIn(String queue) {
    return environment.broker().messagesIn(queue);
  }

  /**
   * A harness for one of the test's beans, on the test's database.
   *
   * @param bean a class with {@code @Inbox} that is a bean of the test
   */
  public InboxHarness inbox(Class<?> bean) {
    InboxHarness harness = new InboxHarness(environment, false).handler(listener(bean));
    harnesses.add(harness);
    return harness;
  }

  static ListenerBean listener(Class<?> bean) {
    return ListenerBean.of(bean, () -> CDI.current().select(bean).get());
  }

  List<Consumer> consumers() {
    return listeners.stream().map(ListenerBean::consumer).toList();
  }

  void requireAllRun() {
    harnesses.forEach(InboxHarness::requireRun);
  }
}
