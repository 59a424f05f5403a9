package io.postbox.outbox.server;

import io.postbox.common.config.Durations;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.server.ProcessName;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.SecretStore;
import io.postbox.common.store.TableVersion;
import io.postbox.common.store.TablesInUseException;
import io.postbox.common.store.TrialStore;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.ops.RuntimePolicies;
import io.postbox.outbox.store.ReplicationSlotStore;
import io.postbox.outbox.store.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's database: not ready until its tables are in order. It retries an unavailable
 * database, and refuses tables of another owner or shape. Thread-safe.
 */
final class OutboxDatabase {
  private final OutboxConfig config;
  private final DataSource dataSource;
  private final TransactionTrial trial;
  private final String node = ProcessName.nameOfThisOne();
  private final RuntimePolicies policies;
  private volatile @Nullable Dialect dialect;
  private volatile byte @Nullable [] secret;
  private volatile String problem = "the tables have not been checked yet";
  private volatile String inHealth = "the tables have not been checked yet";
  private volatile boolean refused;

  OutboxDatabase(OutboxConfig config, DataSource dataSource) {
    this(config, dataSource, TransactionTrial.OF_SERVER);
  }

  OutboxDatabase(OutboxConfig config, DataSource dataSource, TransactionTrial trial) {
    this.config = config;
    this.dataSource = dataSource;
    this.trial = trial;
    policies = RuntimePolicies.on(config, dataSource, MonotonicClock.started());
  }

  OutboxConfig config() {
    return config;
  }

  DataSource dataSource() {
    return dataSource;
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
    return config.relay().isCdc()
        ? Optional.of(new ReplicationSlotStore(config.tables(), config.relay().slot()))
        : Optional.empty();
  }

  /** Why the outbox is not ready, while it is not. */
  Optional<String> problem() {
    return dialect == null ? Optional.of(problem) : Optional.empty();
  }

  /** Why the outbox is not ready, as a fixed text for callers who may not see details. */
  Optional<String> problemInHealth() {
    return dialect == null ? Optional.of(inHealth) : Optional.empty();
  }

  /**
   * The dialect of the database, once the tables are in order.
   *
   * @throws OutboxException as long as they are not, saying why
   */
  Dialect dialect() {
    Dialect found = dialect;
    if (found == null) {
      throw notReady();
    }
    return found;
  }

  /**
   * A part of the outbox that needs the tables: built once, with the first call.
   *
   * @return throws {@link OutboxException} as long as the tables are not in order, saying why
   */
  <T> Part<T> whenReady(Function<Dialect, T> build) {
    return new Part<>(build);
  }

  /** Thread-safe. */
  final class Part<T> implements Supplier<T> {
    private final Function<Dialect, T> build;
    private volatile @Nullable T built;

    private Part(Function<Dialect, T> build) {
      this.build = build;
    }

    @Override
    public T get() {
      T found = built;
      return found == null ? build() : found;
    }

    private synchronized T build() {
      T found = built;
      if (found == null) {
        found = build.apply(dialect());
        built = found;
      }
      return found;
    }

    /** The part, if it was built. */
    Optional<T> ifBuilt() {
      return Optional.ofNullable(built);
    }
  }

  /**
   * The key that the service's nodes share.
   *
   * @throws OutboxException as long as the tables are not in order, saying why
   */
  byte[] secret() {
    byte[] found = secret;
    if (found == null) {
      throw notReady();
    }
    return found;
  }

  /**
   * Runs what operators ask and change.
   *
   * @throws OutboxException as long as the tables are not in order, saying why
   */
  OperatorCalls calls() {
    dialect();
    return new OperatorCalls(new LocalTransactions(dataSource), OutboxLog::failure);
  }

  private OutboxException notReady() {
    return new OutboxException(
        "The outbox of " + config.service() + " is not ready, nothing was written: " + problem,
        null);
  }

  /**
   * Checks the tables, and creates them if so configured, unless that has been done. Must not be
   * called within a transaction.
   *
   * @return whether the outbox can work now
   * @throws SchemaException if it cannot work on these tables at all
   */
  synchronized boolean prepare() {
    if (dialect != null || refused) {
      return dialect != null;
    }
    try {
      Dialect found = prepareTables();
      refuseWithoutTransactions();
      dialect = found;
      OutboxLog.started(settings(found));
      return true;
    } catch (TablesInUseException inUse) {
      inHealth = "the tables are incomplete; the log names the missing parts (OBX0080)";
      if (isNews("the tables are incomplete: " + inUse.getMessage())) {
        OutboxLog.tablesInUse(inUse.getMessage());
      }
      return false;
    } catch (SQLException unreachable) {
      inHealth = "the database failed; the log says why (OBX0003)";
      if (isNews("the database failed: " + OutboxLog.EXCEPTIONS.of(unreachable))) {
        OutboxLog.databaseNotReady(unreachable);
      }
      return false;
    } catch (SchemaException unusable) {
      inHealth = "the tables are unusable; the log says why (OBX0011)";
      problem = String.valueOf(unusable.getMessage());
      refused = true;
      OutboxLog.refused(problem);
      throw unusable;
    }
  }

  private Dialect prepareTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect found = Dialect.of(connection, "outbox");
      refuseWithoutSlots(found);
      Schema schema = new Schema(found, config);
      TableVersion tables = schema.prepare(connection);
      if (!tables.equals(schema.version())) {
        OutboxLog.laterTables(tables.toString(), schema.version().toString());
      }
      connection.setAutoCommit(true);
      secret =
          new SecretStore(found, config.tables().qualified("outbox_secret")).readOrMake(connection);
      policies.cache().read(connection); // before the first message fails
      return found;
    }
  }

  private void refuseWithoutSlots(Dialect found) {
    if (config.relay().isCdc() && found != Dialect.POSTGRESQL) {
      throw new SchemaException(
          "postbox.outbox.relay.mode=cdc needs PostgreSQL, and the data source postbox.outbox.data-source=%s is %s, which has no replication slots: nobody would send the messages. Set postbox.outbox.relay.mode=polling, or name a data source of PostgreSQL."
              .formatted(config.dataSource(), found));
    }
  }

  private void refuseWithoutTransactions() throws SQLException {
    Optional<Boolean> rollsBack =
        trial.rollsBack(dataSource, new TrialStore(config.tables()), config.service());
    if (!rollsBack.orElse(true)) {
      throw new SchemaException(
          "The data source postbox.outbox.data-source=%s takes no part in the server's transactions: a row was still there after its transaction had rolled back. The relay would send messages of transactions that rolled back. Remove transactional=\"false\" from the dataSource in server.xml, or name the data source that the application's own tables are written with."
              .formatted(config.dataSource()));
    }
  }

  /** Whether a problem is new, so that it is logged once and not at every retry. */
  private boolean isNews(String found) {
    boolean news = !found.equals(problem);
    problem = found;
    return news;
  }

  private String settings(Dialect found) {
    return "service=%s, data-source=%s (%s), tables=%s, partitions=%s, connection-factory=%s, max-attempts=%s, backoff=%s..%s, on-dead-letter=%s, relay-mode=%s, relay=%s, workers=%s, batch-size=%s, send-timeout=%s, metrics=%s"
        .formatted(
            config.service(),
            config.dataSource(),
            found,
            config.tables().qualified("outbox_message"),
            config.partitions(),
            config.connectionFactory(),
            config.maxAttempts(),
            Durations.text(config.backoff().first()),
            Durations.text(config.backoff().max()),
            config.onDeadLetter(),
            config.relay().isCdc() ? "cdc from " + config.relay().slot() : "polling",
            config.relay().runsHere(),
            config.relay().workers(),
            config.relay().batchSize(),
            Durations.text(config.relay().sendTimeout()),
            config.metrics());
  }
}
