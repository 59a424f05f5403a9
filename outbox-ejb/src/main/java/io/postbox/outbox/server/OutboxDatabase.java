package io.postbox.outbox.server;

import io.postbox.common.config.Durations;
import io.postbox.common.ops.Part;
import io.postbox.common.server.ModuleDatabase;
import io.postbox.common.server.ThisNode;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.ops.OutboxTables;
import io.postbox.outbox.ops.RuntimePolicies;
import io.postbox.outbox.store.ReplicationSlotStore;
import io.postbox.outbox.store.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** The outbox of one application on its database. Thread-safe. */
final class OutboxDatabase extends ModuleDatabase<OutboxConfig> {
  private final String node = ThisNode.name();
  private final RuntimePolicies policies;
  private volatile boolean refused;

  OutboxDatabase(OutboxConfig config, DataSource dataSource) {
    this(config, dataSource, TransactionTrial.OF_SERVER);
  }

  OutboxDatabase(OutboxConfig config, DataSource dataSource, TransactionTrial trial) {
    super("outbox", config, dataSource, trial, OutboxLog.SHARED);
    policies = RuntimePolicies.on(config, dataSource, MonotonicClock.started());
  }

  /** How this node recovers from failures; read with the tables, and then every few seconds. */
  RuntimePolicies policies() {
    return policies;
  }

  /** This node's name in the tables: another one after each start. */
  String node() {
    return node;
  }

  /** The connector's replication slot, if no node relays. */
  Optional<ReplicationSlotStore> slot() {
    return config().relay().isCdc()
        ? Optional.of(new ReplicationSlotStore(config().tables(), config().relay().slot()))
        : Optional.empty();
  }

  /**
   * The dialect of the database, once the tables are in order.
   *
   * @throws OutboxException as long as they are not, saying why
   */
  Dialect dialect() {
    return ifPrepared().orElseThrow(this::notReady);
  }

  /**
   * A part of the outbox that needs the tables: built once, with the first call.
   *
   * @return throws {@link OutboxException} as long as the tables are not in order, saying why
   */
  <T> Part<T> whenReady(Function<Dialect, T> build) {
    return new Part<>(() -> build.apply(dialect()));
  }

  /**
   * The key that the service's nodes share.
   *
   * @throws OutboxException as long as the tables are not in order, saying why
   */
  byte[] secret() {
    return secret(this::notReady);
  }

  /**
   * The tables, for operators' calls and background work.
   *
   * @throws OutboxException as long as they are not in order, saying why
   */
  OutboxTables tables() {
    return new OutboxTables(dialect(), config(), dataSource());
  }

  private OutboxException notReady() {
    return new OutboxException(
        "The outbox of " + config().service() + " is not ready, nothing was written: " + problem(),
        null);
  }

  /** The same, but does not try again what the tables' shape or owner forbids. */
  @Override
  public synchronized boolean prepare() {
    if (refused) {
      return false;
    }
    try {
      return super.prepare();
    } catch (SchemaException unusable) {
      refused = true;
      throw unusable;
    }
  }

  @Override
  protected Schema schema(Dialect found) {
    if (config().relay().isCdc() && found != Dialect.POSTGRESQL) {
      throw new SchemaException(
          "postbox.outbox.relay.mode=cdc needs PostgreSQL, and the data source postbox.outbox.data-source=%s is %s, which has no replication slots: nobody would send the messages. Set postbox.outbox.relay.mode=polling, or name a data source of PostgreSQL."
              .formatted(config().dataSource(), found));
    }
    return new Schema(found, config());
  }

  @Override
  protected void read(Connection connection, Dialect found) throws SQLException {
    policies.cache().read(connection); // before the first message fails
  }

  @Override
  protected String withoutTransactions() {
    return "The relay would send messages of transactions that rolled back.";
  }

  @Override
  protected String settings(Dialect found) {
    return "service=%s, data-source=%s (%s), tables=%s, partitions=%s, connection-factory=%s, max-attempts=%s, backoff=%s..%s, on-dead-letter=%s, relay-mode=%s, relay=%s, workers=%s, batch-size=%s, send-timeout=%s, metrics=%s"
        .formatted(
            config().service(),
            config().dataSource(),
            found,
            config().tables().qualified("outbox_message"),
            config().partitions(),
            config().connectionFactory(),
            config().maxAttempts(),
            Durations.text(config().backoff().first()),
            Durations.text(config().backoff().max()),
            config().onDeadLetter(),
            config().relay().isCdc() ? "cdc from " + config().relay().slot() : "polling",
            config().relay().runsHere(),
            config().relay().workers(),
            config().relay().batchSize(),
            Durations.text(config().relay().sendTimeout()),
            config().metrics());
  }
}
