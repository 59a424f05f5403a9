package io.postbox.benchmark;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import com.gruelbox.transactionoutbox.TransactionOutboxListener;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * gruelbox transaction-outbox, as its README and the Javadoc of ExecutorSubmitter have it: over a
 * Hikari pool, and with an executor whose queue is bounded and holds more than 10,000, and which,
 * when that is full, has the submitting thread wait. Work is submitted right after the commit, its
 * quickest way: {@code flush()}, for what fails or was refused, would write each row once more, and
 * finds none here that is two minutes old.
 */
final class GruelboxPeer implements Peer {
  private static final Logger LOG = Logger.getLogger("com.gruelbox.transactionoutbox");
  private static final int QUEUE = 16_384;

  /** The call that is kept. */
  interface Outgoing {
    void send(long seq, String id, @Nullable String key, String text, long createdAt);
  }

  private final Database database;
  private final Broker broker;
  private final HikariDataSource pool;
  private final Senders senders;
  private final ThreadPoolExecutor threads;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final AtomicLong committed = new AtomicLong();

  GruelboxPeer(Database database, Broker broker) {
    LOG.setLevel(Level.WARNING); // two lines a message at INFO
    this.database = database;
    this.broker = broker;
    pool = PeersBenchmark.pool(database);
    senders = new Senders(broker);
    threads =
        new ThreadPoolExecutor(
            PeersBenchmark.THREADS,
            PeersBenchmark.THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            GruelboxPeer::enqueue);
    transactions = TransactionManager.fromDataSource(pool);
    outbox =
        TransactionOutbox.builder()
            .transactionManager(transactions)
            .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
            .instantiator(Instantiator.using(type -> new Handler(senders)))
            .submitter(Submitter.withExecutor(threads))
            .listener(
                new TransactionOutboxListener() {
                  @Override
                  public void scheduled(TransactionOutboxEntry entry) {
                    committed.compareAndSet(0, System.nanoTime());
                  }
                })
            .build();
  }

  private static void enqueue(Runnable work, ThreadPoolExecutor threads) {
    try {
      threads.getQueue().put(work);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new RejectedExecutionException(stopped);
    }
  }

  /** Called by the library for each message. */
  record Handler(Senders senders) implements Outgoing {
    @Override
    public void send(long seq, String id, @Nullable String key, String text, long createdAt) {
      senders.send(new Row(seq, UUID.fromString(id), key, text, Instant.ofEpochMilli(createdAt)));
    }
  }

  @Override
  public String name() {
    return "gruelbox transaction-outbox " + Options.value("gruelbox");
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "none; later versions by topic, sent by the periodic flush alone",
        "in the business transaction; sent at least once",
        "blocked after some attempts; behind one of a topic (later versions) all waits");
  }

  @Override
  public double drain(int count) throws Exception {
    committed.set(0);
    transactions.inTransaction(
        () -> {
          for (int i = 0; i < count; i++) {
            Row row = Row.numbered(i);
            outbox
                .schedule(Outgoing.class)
                .send(
                    row.seq(),
                    row.id().toString(),
                    row.key(),
                    row.text(),
                    row.createdAt().toEpochMilli());
          }
        });
    double rate =
        Drained.rate(
            broker,
            Broker.PEER,
            count,
            committed.get(),
            () -> database.number("SELECT COUNT(*) FROM txno_outbox") == 0);
    database.execute("VACUUM ANALYZE txno_outbox");
    return rate;
  }

  @Override
  public void close() throws Exception {
    threads.shutdownNow();
    try (pool) {
      senders.close();
    }
  }
}
