package io.postbox.benchmark;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.io.Serializable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler with a one-time task for each message, as its README has it for more than 1,000
 * executions a second: {@code lock-and-fetch} with 1.0 and 4.0, over a Hikari pool, and the default
 * of ten threads. Its table is that of postgresql_tables.sql.
 */
final class DbSchedulerPeer implements Peer {
  private final Database database;
  private final Broker broker;
  private final HikariDataSource pool;
  private final Senders senders;
  private final OneTimeTask<Outgoing> task;

  /** The data of a task, in Java's serialization, which is the default. */
  record Outgoing(long seq, UUID id, @Nullable String key, String text, Instant createdAt)
      implements Serializable {}

  DbSchedulerPeer(Database database, Broker broker) throws SQLException {
    this.database = database;
    this.broker = broker;
    pool = PeersBenchmark.pool(database);
    senders = new Senders(broker);
    task =
        Tasks.oneTime("send", Outgoing.class)
            .execute((instance, context) -> send(instance.getData()));
    database.execute(
        """
        CREATE TABLE scheduled_tasks (task_name TEXT NOT NULL, task_instance TEXT NOT NULL,
          task_data BYTEA, execution_time TIMESTAMPTZ NOT NULL, picked BOOLEAN NOT NULL,
          picked_by TEXT, last_success TIMESTAMPTZ, last_failure TIMESTAMPTZ,
          consecutive_failures INT, last_heartbeat TIMESTAMPTZ, version BIGINT NOT NULL,
          priority SMALLINT, PRIMARY KEY (task_name, task_instance));
        CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
        CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
        CREATE INDEX priority_execution_time_idx
          ON scheduled_tasks (priority DESC, execution_time ASC)
        """);
  }

  private void send(Outgoing data) {
    senders.send(new Row(data.seq(), data.id(), data.key(), data.text(), data.createdAt()));
  }

  @Override
  public String name() {
    return "db-scheduler " + Options.value("db-scheduler");
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "none",
        "in the business transaction only if the data source takes part in it; sent at least once",
        "none: tried again every five minutes, or dropped after some attempts");
  }

  @Override
  public double drain(int count) throws Exception {
    Scheduler scheduler =
        Scheduler.create(pool, task)
            .threads(PeersBenchmark.THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .build();
    Stream<TaskInstance<?>> instances = IntStream.range(0, count).mapToObj(this::instance);
    scheduler.scheduleBatch(instances, Instant.now());
    database.execute("ANALYZE scheduled_tasks");
    long start = System.nanoTime();
    scheduler.start();
    try {
      return Drained.rate(
          broker,
          Broker.PEER,
          count,
          start,
          () -> database.number("SELECT COUNT(*) FROM scheduled_tasks") == 0);
    } finally {
      scheduler.stop();
      database.execute("VACUUM ANALYZE scheduled_tasks");
    }
  }

  private TaskInstance<Outgoing> instance(int number) {
    Row row = Row.numbered(number);
    return task.instance(
        row.id().toString(),
        new Outgoing(row.seq(), row.id(), row.key(), row.text(), row.createdAt()));
  }

  @Override
  public void close() throws Exception {
    try (pool) {
      senders.close();
    }
  }
}
