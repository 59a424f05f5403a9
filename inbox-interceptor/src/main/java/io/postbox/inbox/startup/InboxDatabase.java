package io.postbox.inbox.startup;

import io.postbox.common.PayloadCipher;
import io.postbox.common.check.CipherTrial;
import io.postbox.common.check.Finding;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.TableVersion;
import io.postbox.common.store.TablesInUseException;
import io.postbox.common.store.TrialStore;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Keying;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.RuntimePolicies;
import io.postbox.inbox.receiver.Backlogs;
import io.postbox.inbox.receiver.Buffers;
import io.postbox.inbox.receiver.Quotas;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.store.AggregateCountStore;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.InboxSecretStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.MessageTables;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.Stores;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of one application on its database: not ready until the tables are in order.
 * Thread-safe.
 */
public final class InboxDatabase {
  private final InboxConfig config;
  private final DataSource dataSource;
  private final TransactionTrial trial;
  private final IdRange ids = new IdRange();
  private final Quotas quotas;
  private final Buffers buffers;
  private final Backlogs backlogs;
  private final RuntimePolicies policies;
  private volatile @Nullable Stores stores;
  private volatile byte @Nullable [] secret;
  private volatile @Nullable Dialect dialect;
  private volatile Supplier<Optional<PayloadCipher>> cipher =
      () -> {
        throw new InboxException(
            "The application's beans do not exist yet, so no message can be kept aside.", null);
      };
  private final CipherTrial cipherTrial = new CipherTrial();
  private final KeptContents contents;
  private volatile boolean needsFingerprintKey;
  private volatile byte @Nullable [] fingerprintKey;
  private volatile String inHealth = "the tables have not been checked yet";
  private volatile String problem = "the tables have not been checked yet";

  public InboxDatabase(InboxConfig config, DataSource dataSource) {
    this(config, dataSource, TransactionTrial.OF_SERVER);
  }

  public InboxDatabase(InboxConfig config, DataSource dataSource, TransactionTrial trial) {
    this.config = config;
    quotas = new Quotas(config);
    buffers = new Buffers(config);
    backlogs = new Backlogs(config, MonotonicClock.started());
    this.dataSource = dataSource;
    this.trial = trial;
    policies = RuntimePolicies.on(config, dataSource, MonotonicClock.started());
    contents =
        new KeptContents(
            () -> cipher.get(),
            config.confidentiality().encryptionRequired(),
            WatchLog::plainRows,
            new DaemonThreads("postbox-inbox-cipher " + config.service()));
  }

  public InboxConfig config() {
    return config;
  }

  /** Provides the application's cipher, once it has beans. */
  public void encryptWith(Supplier<Optional<PayloadCipher>> found) {
    cipher = found;
    needsFingerprintKey = found.get().isPresent();
  }

  /** Whether the application has a cipher. */
  public boolean isEncrypting() {
    return needsFingerprintKey;
  }

  /** The quotas of kept messages. */
  public Quotas quotas() {
    return quotas;
  }

  /** The limits of buffered messages. */
  public Buffers buffers() {
    return buffers;
  }

  /** The limits of captured messages that wait. */
  public Backlogs backlogs() {
    return backlogs;
  }

  /** The consumers' present settings; read with the tables, and then every few seconds. */
  public RuntimePolicies policies() {
    return policies;
  }

  /** Converts kept messages to columns and back. */
  public KeptContents contents() {
    return contents;
  }

  public DataSource dataSource() {
    return dataSource;
  }

  /**
   * The key with which the service proves that it has resent a message.
   *
   * @throws InboxException if the tables are not in order yet
   */
  public byte[] secret() {
    byte[] known = secret;
    if (known == null) {
      throw new InboxException(
          "The inbox cannot check whether this service has resent the message, because it is not"
              + " ready: "
              + problem
              + ". The message is not handled now, and is redelivered.",
          new SQLTransientConnectionException(problem));
    }
    return known;
  }

  /** The statements, once the tables are in order and the key of the fingerprints is available. */
  public Optional<Stores> stores() {
    return isComplete() ? Optional.ofNullable(stores) : Optional.empty();
  }

  private boolean isComplete() {
    return stores != null && !lacksFingerprintKey();
  }

  /** Whether there is a cipher and the key of the fingerprints is not available yet. */
  public boolean lacksFingerprintKey() {
    return needsFingerprintKey && fingerprintKey == null;
  }

  /**
   * A fingerprint for storing: keyed, if there is a cipher.
   *
   * @throws InboxException if the key is not available yet
   */
  public Fingerprint keyed(Fingerprint plain) {
    byte[] key = fingerprintKey;
    if (key != null) {
      return Keying.keyed(plain, key);
    }
    if (needsFingerprintKey) {
      throw new InboxException(
          "The inbox cannot compute the message's fingerprint, because it is not ready: "
              + problem
              + ". The message is not handled now, and is redelivered.",
          new SQLTransientConnectionException(problem));
    }
    return plain;
  }

  /** The database's dialect, once the tables are in order. */
  public Optional<Dialect> dialect() {
    return Optional.ofNullable(dialect);
  }

  /** The range of ids for which there are tables. */
  public IdRange ids() {
    return ids;
  }

  /**
   * Runs what operators ask and change.
   *
   * @param problem what is not so while the inbox is not ready
   * @throws InboxException while it is not
   */
  public OperatorCalls calls(String problem) {
    if (stores().isEmpty()) {
      throw new InboxException(problem + ", because the inbox is not ready: " + this.problem, null);
    }
    return new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), InboxLog::failure);
  }

  /** Why the inbox is not ready, while there are no {@link #stores() statements}. */
  public String problem() {
    return problem;
  }

  /** Why the inbox is not ready, as a fixed text for callers who may not see details. */
  public String problemInHealth() {
    return inHealth;
  }

  /**
   * Checks the tables, and creates them if so configured, unless that has been done. Must not be
   * called within a transaction. If the database is unavailable, a later call tries again.
   *
   * @throws SchemaException if the tables are missing, have another shape or another owner
   */
  public synchronized void prepare() {
    if (isComplete()) {
      return;
    }
    try {
      if (stores == null) {
        Dialect found = prepareTables();
        refuseWithoutTransactions();
        dialect = found;
        stores = Stores.of(found, config.tables(), contents);
        InboxLog.started(settings(found));
      }
      if (lacksFingerprintKey() && cipherRefusal().isEmpty()) {
        prepareFingerprintKey();
      }
    } catch (InboxException unusable) {
      inHealth = "the key of the fingerprints cannot be read; the log says why (IBX0162)";
      if (isNews(String.valueOf(unusable.getMessage()))) {
        WatchLog.noFingerprintKey(problem);
      }
    } catch (TablesInUseException inUse) {
      inHealth = "the tables are incomplete; the log names the missing parts (IBX0100)";
      if (isNews("the tables are incomplete: " + inUse.getMessage())) {
        InboxLog.tablesInUse(inUse.getMessage());
      }
    } catch (SQLException unreachable) {
      inHealth = "the database failed; the log says why (IBX0003)";
      if (isNews("the database failed: " + InboxLog.EXCEPTIONS.of(unreachable))) {
        InboxLog.databaseNotReady(unreachable);
      }
    } catch (SchemaException unusable) {
      inHealth = "the tables are unusable; the log says why (IBX0004)";
      if (isNews(String.valueOf(unusable.getMessage()))) {
        InboxLog.refused(problem);
      }
      throw unusable;
    }
  }

  private Dialect prepareTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect found = Dialect.of(connection, "inbox");
      Schema schema = new Schema(found, config);
      TableVersion tables = schema.prepare(connection);
      if (!tables.equals(schema.version())) {
        InboxLog.laterTables(tables.toString(), schema.version().toString());
      }
      connection.setAutoCommit(true);
      new MessageTables(config).read(connection, ids, Instant.EPOCH);
      secret = new InboxSecretStore(found, config.tables()).readOrMake(connection);
      policies.cache().read(connection); // before the first delivery
      backlogs.mark();
      KeptCounts kept = countKeptAside(connection, found);
      quotas.counted(kept.used());
      buffers.counted(kept.buffered());
      backlogs.counted(kept.backlogs(), Duration.ZERO);
      for (AggregateCountStore.Line line :
          new AggregateCountStore(found, config.tables()).read(connection)) {
        quotas.aggregates().counted(line.consumer(), line.aggregates(), line.countedAt());
      }
      return found;
    }
  }

  /**
   * Counts the kept and captured messages before the first delivery. A killed process loses its
   * count, and without a new one each restart would again admit a flood of messages until the next
   * count.
   */
  private KeptCounts countKeptAside(Connection connection, Dialect found) throws SQLException {
    CountStore counts = new CountStore(found, config.tables());
    try {
      return KeptCounts.of(counts.count(connection));
    } catch (SQLException tooLong) {
      WatchLog.countFailed(WatchLog.Counted.KEPT_ASIDE, tooLong);
      return KeptCounts.of(counts.read(connection).lines());
    }
  }

  /**
   * Forbids the application's cipher, with a reason. While it is forbidden, no message is handled.
   */
  public Optional<String> cipherRefusal() {
    if (!needsFingerprintKey || !config.confidentiality().encryptionRequired()) {
      return Optional.empty();
    }
    Optional<String> refusal = cipherTrial.refusal(cipher.get().orElseThrow());
    refusal.ifPresent(
        found -> {
          inHealth = "the PayloadCipher cannot be used; the log says why (IBX0165)";
          if (isNews(found)) {
            WatchLog.cipherRefused(found);
          }
        });
    return refusal;
  }

  /** The guarantee check's findings about the cipher. */
  public List<Finding> cipherFindings() {
    return cipherTrial.findings(needsFingerprintKey ? cipher.get() : Optional.empty());
  }

  private void prepareFingerprintKey() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      fingerprintKey =
          new InboxSecretStore(Dialect.of(connection, "inbox"), config.tables())
              .readOrMakeFingerprintKey(connection, cipher.get().orElseThrow());
    }
  }

  private void refuseWithoutTransactions() throws SQLException {
    Optional<Boolean> rollsBack =
        trial.rollsBack(dataSource, new TrialStore(config.tables()), config.service());
    if (!rollsBack.orElse(true)) {
      throw new SchemaException(
          "The data source postbox.inbox.data-source=%s takes no part in the server's transactions: a row was still there after its transaction had rolled back. The id of a message whose handler fails would stay, and the message would be skipped when it is redelivered: it would be lost. Remove transactional=\"false\" from the dataSource in server.xml, or name the data source that the handlers' own tables are written with."
              .formatted(config.dataSource()));
    }
  }

  /** Whether a problem is new, so that it is logged once and not for each delivery. */
  private boolean isNews(String found) {
    boolean news = !found.equals(problem);
    problem = found;
    return news;
  }

  private String settings(Dialect found) {
    return "service=%s, data-source=%s (%s), tables=%s, create-tables=%s, metrics=%s"
        .formatted(
            config.service(),
            config.dataSource(),
            found,
            config.tables().qualified("inbox_message"),
            config.createTables(),
            config.metrics());
  }
}
