package io.postbox.test;

import io.postbox.common.PayloadCipher;
import io.postbox.common.server.TransactionTrial;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.outbox.PayloadLoader;
import io.postbox.test.broker.MemoryBroker;
import io.postbox.test.config.TestSettings;
import io.postbox.test.database.JtaDatabase;
import io.postbox.test.database.Transactions;
import io.postbox.test.inbox.InboxProcess;
import io.postbox.test.outbox.OutboxProcess;
import io.postbox.test.store.Effects;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A test's substitute for a server: a database, transactions, a broker, time, and the outbox and
 * inbox on them, each started when it is first needed. Used by the test's thread.
 */
final class Environment implements AutoCloseable {
  private final Map<String, String> settings = new HashMap<>();
  private final TestClock clock = new TestClock();
  private final JtaDatabase database;
  private final MemoryBroker broker = new MemoryBroker(clock, Transactions.registry());
  private @Nullable OutboxProcess outbox;
  private @Nullable InboxDatabase inbox;

  Environment(Function<TestClock, JtaDatabase> make) {
    database = make.apply(clock);
    clock.onMove(database::tell);
  }

  /**
   * Changes a setting.
   *
   * @throws IllegalStateException if outbox or inbox have started
   */
  void setting(String key, String value) {
    if (inbox != null || outbox != null) {
      throw new IllegalStateException(
          "The outbox or inbox has started with its settings: call setting(…) first.");
    }
    settings.put(key, value);
  }

  TestSettings settings() {
    return new TestSettings(settings);
  }

  void execute(String... statements) {
    for (String statement : statements) {
      new Effects(database.dataSource()).execute(statement);
    }
  }

  TestClock clock() {
    return clock;
  }

  JtaDatabase database() {
    return database;
  }

  MemoryBroker broker() {
    return broker;
  }

  InboxContext context() {
    return InboxProcess.context(inbox());
  }

  InboxDatabase inbox() {
    InboxDatabase started = inbox;
    if (started == null) {
      started = Transactions.suspended(this::startInbox);
      inbox = started;
    }
    return started;
  }

  private InboxDatabase startInbox() {
    InboxDatabase started =
        new InboxDatabase(
            settings().inbox(),
            database.dataSource(),
            new TransactionTrial(() -> Optional.of(Transactions.user())));
    started.encryptWith(Optional::empty);
    started.prepare();
    if (started.stores().isEmpty()) {
      throw new IllegalStateException("The inbox is not ready: " + started.problem());
    }
    return started;
  }

  OutboxProcess outbox() {
    return outbox(Optional::empty, Optional::empty);
  }

  /** The outbox, with the application's beans when it starts. */
  OutboxProcess outbox(
      Supplier<Optional<PayloadLoader>> loader, Supplier<Optional<PayloadCipher>> cipher) {
    OutboxProcess started = outbox;
    if (started == null) {
      started =
          Transactions.suspended(
              () ->
                  new OutboxProcess(
                      settings().outbox(), database, broker, clock, loader.get(), cipher.get()));
      outbox = started;
    }
    return started;
  }

  @Override
  public void close() {
    database.close();
  }
}
