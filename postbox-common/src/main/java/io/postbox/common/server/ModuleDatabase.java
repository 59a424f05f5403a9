package io.postbox.common.server;

import io.postbox.common.config.ModuleConfig;
import io.postbox.common.log.SharedLog;
import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.store.SecretStore;
import io.postbox.common.store.Sql;
import io.postbox.common.store.TableVersion;
import io.postbox.common.store.TablesInUseException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A module's database: not ready until its tables are in order. It retries an unavailable database,
 * and refuses tables of another owner or shape. Thread-safe.
 *
 * @param <C> the module's configuration
 */
public abstract class ModuleDatabase<C extends ModuleConfig> {
  private static final String UNCHECKED = "the tables have not been checked yet";

  private final String module;
  private final C config;
  private final DataSource dataSource;
  private final TransactionTrial trial;
  private final SharedLog log;
  private final LoggedOnce down;
  private volatile @Nullable Dialect dialect;
  private volatile byte @Nullable [] secret;
  private volatile String problem = UNCHECKED;
  private volatile String inHealth = UNCHECKED;

  /**
   * @param module outbox or inbox
   * @param trial tries whether the data source takes part in the server's transactions
   * @param log the module's
   */
  protected ModuleDatabase(
      String module, C config, DataSource dataSource, TransactionTrial trial, SharedLog log) {
    this.module = module;
    this.config = config;
    this.dataSource = dataSource;
    this.trial = trial;
    this.log = log;
    down = new LoggedOnce(log::notReady, log::readyAgain);
  }

  /**
   * The module's tables on such a database.
   *
   * @throws SchemaException if the module, configured as it is, cannot work on it
   */
  protected abstract SchemaInstaller schema(Dialect found);

  /** Reads what the module needs before its first message from tables that are in order. */
  protected abstract void read(Connection connection, Dialect found) throws SQLException;

  /** Prepares what can be prepared only later than the tables, unless that has been done. */
  protected void complete() throws SQLException {}

  /** Whether that has been done. */
  protected boolean isCompleted() {
    return true;
  }

  /** The effective settings, for the log. */
  protected abstract String settings(Dialect found);

  /** What happens if the data source takes no part in the server's transactions, as a sentence. */
  protected abstract String withoutTransactions();

  public final C config() {
    return config;
  }

  public final DataSource dataSource() {
    return dataSource;
  }

  /** The dialect of the database, once the tables are in order. */
  public final Optional<Dialect> ifPrepared() {
    return Optional.ofNullable(dialect);
  }

  /**
   * The key that the service's nodes share.
   *
   * @param notReady makes the exception as long as the tables are not in order
   */
  protected final byte[] secret(Supplier<? extends RuntimeException> notReady) {
    byte[] found = secret;
    if (found == null) {
      throw notReady.get();
    }
    return found;
  }

  /** Whether the module can work. */
  public final boolean isReady() {
    return dialect != null && isCompleted();
  }

  /** Why the module is not ready, while it is not. */
  public final String problem() {
    return problem;
  }

  /** Why the module is not ready, as a fixed text for callers who may not see details. */
  public final String problemInHealth() {
    return inHealth;
  }

  /**
   * Checks the tables, and creates them if so configured, unless that has been done. Must not be
   * called within a transaction. If the database is unavailable, a later call tries again.
   *
   * @return whether the module can work now
   * @throws SchemaException if the tables are missing, have another shape or another owner
   */
  public synchronized boolean prepare() {
    if (isReady()) {
      return true;
    }
    try {
      if (dialect == null) {
        Dialect found = prepareTables();
        refuseWithoutTransactions();
        dialect = found;
        log.started(settings(found));
      }
      complete();
    } catch (TablesInUseException inUse) {
      if (isNews(
          "the tables are incomplete: " + inUse.getMessage(),
          "the tables are incomplete; the log names the missing parts (%s)"
              .formatted(log.either("OBX0080", "IBX0100")))) {
        log.tablesInUse(inUse.getMessage());
      }
    } catch (SQLException unreachable) {
      if (isNews(
          "the database failed: " + log.exceptions().of(unreachable),
          "the database failed; the log says why (%s)"
              .formatted(log.either("OBX0003", "IBX0003")))) {
        log.databaseNotReady(unreachable);
      }
    } catch (SchemaException unusable) {
      if (isNews(
          String.valueOf(unusable.getMessage()),
          "the tables are unusable; the log says why (%s)"
              .formatted(log.either("OBX0011", "IBX0004")))) {
        log.refused(problem);
      }
      throw unusable;
    }
    return isReady();
  }

  /**
   * Asks the database whether it takes writes, on a thread without a transaction; changes nothing.
   *
   * @throws SQLException also as long as the module cannot work
   */
  public final void ping() throws SQLException {
    Dialect known = dialect;
    if (known == null || !isReady()) {
      throw new SQLNonTransientConnectionException(problem);
    }
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true); // so that the check includes a commit
      Sql.execute(
          connection, known.tryToWrite(config.tables().qualified("postbox_schema"), module));
    }
  }

  /**
   * Asks the database as {@link #ping} does, and logs once that it fails, and that it works again.
   *
   * @return why the module cannot work, if it cannot, as a fixed text for callers who may not see
   *     details
   */
  public final Optional<String> findProblem() {
    if (!isReady()) {
      return Optional.of(inHealth);
    }
    try {
      ping();
      down.works();
      return Optional.empty();
    } catch (SQLException refused) {
      down.failed(refused);
      return Optional.of(
          "the database %s, so %s; the log says %s (%s)"
              .formatted(
                  Dialect.isReadOnly(refused)
                      ? "is read-only"
                      : log.either("does not work", "is unavailable"),
                  log.either("nothing can be enqueued", "no message can be handled"),
                  Dialect.isReadOnly(refused) ? "more" : "why",
                  log.either("OBX0063", "IBX0163")));
    }
  }

  private Dialect prepareTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect found = Dialect.of(connection, module);
      SchemaInstaller schema = schema(found);
      TableVersion tables = schema.prepare(connection);
      if (!tables.equals(schema.version())) {
        log.laterTables(tables.toString(), schema.version().toString());
      }
      connection.setAutoCommit(true);
      secret =
          new SecretStore(found, config.tables().qualified(module + "_secret"))
              .readOrMake(connection);
      read(connection, found);
      return found;
    }
  }

  private void refuseWithoutTransactions() throws SQLException {
    trial.require(
        dataSource,
        config.tables(),
        config.service(),
        "The data source postbox.%s.data-source=%s takes no part in the server's transactions: a row was still there after its transaction had rolled back. %s %s, or name the data source that the %s own tables are written with."
            .formatted(
                module,
                config.dataSource(),
                withoutTransactions(),
                ServerSetting.TRANSACTIONAL.beginning(),
                log.either("application's", "handlers'")));
  }

  /**
   * Notes why the module is not ready.
   *
   * @param found with its details
   * @param fixed as a fixed text for callers who may not see details
   * @return whether it is new, so that it is logged once and not at every retry
   */
  protected final boolean isNews(String found, String fixed) {
    boolean news = !found.equals(problem);
    problem = found;
    inHealth = fixed;
    return news;
  }
}
