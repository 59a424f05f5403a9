package io.postbox.test;

import io.postbox.common.server.JsonBinding;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.CallerTransaction;
import io.postbox.outbox.enqueue.MessagePreparation;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.OutboxDialect;
import io.postbox.test.config.TestSettings;
import io.postbox.test.message.Recorded;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/**
 * An outbox that keeps messages in memory, for tests of code that enqueues. It needs no container,
 * no database and no mocks. It checks messages and writes their JSON with the code of the real
 * outbox: it refuses the same messages with the same texts.
 *
 * <pre>{@code
 * RecordingOutbox outbox = new RecordingOutbox();
 *
 * new OrderService(outbox).place("A-1", 2);
 *
 * assertThat(outbox)
 *     .enqueued(OutboxMessage.to("shipping").event("OrderPlaced").json(new OrderPlaced("A-1", 2)))
 *     .nothingElse();
 * }</pre>
 *
 * <p>The static import is AssertJ's own {@code assertThat}; {@link OutboxAssert} has what can be
 * said.
 *
 * <p>By itself it accepts messages as if a transaction were active. {@link #inTransaction}
 * simulates one, and {@link #requiringTransaction} refuses messages outside of it. It does not know
 * what only a database knows: a backlog at its limit, and ids that earlier transactions have left
 * there. It accepts references to payloads, as if there were a {@code PayloadLoader}, and encrypts
 * nothing. Thread-safe.
 */
public final class RecordingOutbox implements Outbox, AssertProvider<OutboxAssert> {
  /** One for all, because opening it takes longer than most tests. */
  static final JsonBinding JSON = new JsonBinding("JSON-B is missing");

  private final MessagePreparation preparation;
  private final List<Recorded> recorded = new ArrayList<>();
  private final Set<UUID> ids = new HashSet<>();
  private final Map<Thread, Simulated> active = new ConcurrentHashMap<>();
  private volatile boolean isTransactionRequired;

  /** A simulated transaction. */
  private static final class Simulated {
    private final List<Recorded> messages = new ArrayList<>();
    private boolean isMarkedForRollback;
  }

  /** An outbox with the default settings. */
  public RecordingOutbox() {
    this(Map.of());
  }

  /**
   * An outbox with settings.
   *
   * @param settings keys of the configuration, such as {@code postbox.outbox.destinations}
   * @throws io.postbox.common.config.ConfigurationException naming every wrong value and unknown
   *     key
   */
  public RecordingOutbox(Map<String, String> settings) {
    OutboxConfig config = new TestSettings(settings).outbox();
    preparation =
        new MessagePreparation(
            InstantSource.system(),
            config.partitions(),
            new PayloadEncoder(
                config.maxPayload(),
                new OutboxDialect(Dialect.POSTGRESQL).longestText(),
                JSON::write,
                Optional.empty(),
                true),
            config.destinations(),
            config.relay().isCdc(),
            config.confidentiality().dataSubjects());
  }

  /**
   * From now on refuses messages outside of {@link #inTransaction}, as the real outbox does outside
   * of a JTA transaction.
   *
   * @return this
   */
  public RecordingOutbox requiringTransaction() {
    isTransactionRequired = true;
    return this;
  }

  /**
   * Runs work in a simulated transaction of the calling thread. The recorder keeps its messages if
   * it returns normally, and otherwise forgets them, as after a rollback. Within another simulated
   * transaction it joins that one.
   */
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
    if (current() != null) {
      return work.get();
    }
    Simulated transaction = new Simulated();
    active.put(Thread.currentThread(), transaction);
    boolean commits = false;
    try {
      T result = work.get();
      commits = !transaction.isMarkedForRollback;
      return result;
    } finally {
      active.remove(Thread.currentThread());
      end(transaction, commits);
    }
  }

  private @Nullable Simulated current() {
    return active.get(Thread.currentThread());
  }

  private synchronized void end(Simulated transaction, boolean commits) {
    if (commits) {
      recorded.addAll(transaction.messages);
    } else {
      transaction.messages.forEach(message -> ids.remove(message.id()));
    }
  }

  /**
   * Marks the simulated transaction for rollback: from now on it refuses messages, and at its end
   * it forgets those that it has.
   *
   * @throws IllegalStateException if none is active
   */
  public void setRollbackOnly() {
    Simulated transaction = current();
    if (transaction == null) {
      throw new IllegalStateException(
          "No simulated transaction is active on this thread: call inTransaction(…) around it.");
    }
    transaction.isMarkedForRollback = true;
  }

  @Override
  public UUID enqueue(OutboxMessage message) {
    return enqueueAll(List.of(message)).get(0);
  }

  @Override
  public List<UUID> enqueueAll(List<OutboxMessage> messages) {
    state().require();
    List<NewMessage> prepared = preparation.prepareAll(messages);
    record(messages, prepared);
    return prepared.stream().map(message -> message.envelope().id()).toList();
  }

  private CallerTransaction state() {
    Simulated transaction = current();
    if (transaction == null) {
      return isTransactionRequired ? CallerTransaction.NONE : CallerTransaction.ACTIVE;
    }
    return transaction.isMarkedForRollback
        ? CallerTransaction.MARKED_FOR_ROLLBACK
        : CallerTransaction.ACTIVE;
  }

  private synchronized void record(List<OutboxMessage> messages, List<NewMessage> prepared) {
    Simulated transaction = current();
    List<Recorded> added = new ArrayList<>();
    for (int i = 0; i < prepared.size(); i++) {
      if (!ids.add(prepared.get(i).envelope().id())) {
        added.forEach(message -> ids.remove(message.id()));
        if (transaction != null && messages.size() > 1) {
          transaction.isMarkedForRollback = true;
        }
        throw MessagePreparation.alreadyThere(prepared, i);
      }
      added.add(new Recorded(messages.get(i), prepared.get(i), transaction != null));
    }
    (transaction == null ? recorded : transaction.messages).addAll(added);
  }

  /**
   * The messages, in the order in which they were enqueued or their transactions committed. Those
   * of a transaction that has not ended are not among them.
   */
  public synchronized List<OutboxMessage> messages() {
    return recorded.stream().map(Recorded::message).toList();
  }

  synchronized List<Recorded> recorded() {
    return List.copyOf(recorded);
  }

  /** Forgets all messages, as if the relay had sent them. */
  public synchronized void clear() {
    recorded.clear();
    ids.clear();
  }

  /** For AssertJ's {@code assertThat}. */
  @Override
  public OutboxAssert assertThat() {
    return new OutboxAssert(this);
  }
}
