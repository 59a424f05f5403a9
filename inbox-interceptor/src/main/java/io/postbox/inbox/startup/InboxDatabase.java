package io.postbox.inbox.startup;

import io.postbox.common.PayloadCipher;
import io.postbox.common.check.CipherTrial;
import io.postbox.common.check.Finding;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Part;
import io.postbox.common.server.ModuleDatabase;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.CountTable;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Keying;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.RuntimePolicies;
import io.postbox.inbox.receiver.Limits;
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
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of one application on its database: not ready until the tables are in order and, with a
 * cipher, the key of the fingerprints is available. Thread-safe.
 */
public final class InboxDatabase extends ModuleDatabase<InboxConfig> {
  private final IdRange ids = new IdRange();
  private final Limits limits;
  private final RuntimePolicies policies;
  private volatile @Nullable Stores stores;
  private volatile Supplier<Optional<PayloadCipher>> cipher =
      () -> {
        throw new InboxException(
            "The application's beans do not exist yet, so no message can be kept aside.", null);
      };
  private final CipherTrial cipherTrial = new CipherTrial();
  private final KeptContents contents;
  private volatile boolean needsFingerprintKey;
  private volatile byte @Nullable [] fingerprintKey;

  public InboxDatabase(InboxConfig config, DataSource dataSource) {
    this(config, dataSource, TransactionTrial.OF_SERVER);
  }

  public InboxDatabase(InboxConfig config, DataSource dataSource, TransactionTrial trial) {
    super("inbox", config, dataSource, trial, InboxLog.SHARED);
    limits = new Limits(config, MonotonicClock.started());
    policies = RuntimePolicies.on(config, dataSource, MonotonicClock.started());
    contents =
        new KeptContents(
            () -> cipher.get(),
            config.confidentiality().encryptionRequired(),
            WatchLog::plainRows,
            new DaemonThreads("postbox-inbox-cipher " + config.service()));
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

  /** How much each consumer may have in the tables. */
  public Limits limits() {
    return limits;
  }

  /** The consumers' present settings; read with the tables, and then every few seconds. */
  public RuntimePolicies policies() {
    return policies;
  }

  /** Converts kept messages to columns and back. */
  public KeptContents contents() {
    return contents;
  }

  /**
   * The key with which the service proves that it has resent a message.
   *
   * @throws InboxException if the tables are not in order yet
   */
  public byte[] secret() {
    return secret(
        () ->
            new InboxException(
                "The inbox cannot check whether this service has resent the message, because it is"
                    + " not ready: "
                    + problem()
                    + ". The message is not handled now, and is redelivered.",
                new SQLTransientConnectionException(problem())));
  }

  /** The statements, once the tables are in order and the key of the fingerprints is available. */
  public Optional<Stores> stores() {
    return isReady() ? Optional.ofNullable(stores) : Optional.empty();
  }

  /**
   * The statements, for work that cannot wait until they are there.
   *
   * @throws SQLException as for a database that cannot be reached
   */
  public Stores required() throws SQLException {
    return stores().orElseThrow(() -> new SQLNonTransientConnectionException(problem()));
  }

  /** Work with the statements on a connection. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T on(Stores stores, Connection connection) throws SQLException;
  }

  /** Runs work on a connection that the server enlists in the calling thread's transaction. */
  public <T extends @Nullable Object> T call(Work<T> work) throws SQLException {
    Stores found = required();
    try (Connection connection = dataSource().getConnection()) {
      return work.on(found, connection);
    }
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
              + problem()
              + ". The message is not handled now, and is redelivered.",
          new SQLTransientConnectionException(problem()));
    }
    return plain;
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
    ready(problem);
    return new OperatorCalls(LocalTransactions.retryingConflicts(dataSource()), InboxLog::failure);
  }

  /**
   * The dialect, for what operators ask and change.
   *
   * @param problem what is not so while the inbox is not ready
   * @throws InboxException while it is not
   */
  public Dialect ready(String problem) {
    if (!isReady()) {
      throw new InboxException(problem + ", because the inbox is not ready: " + problem(), null);
    }
    return ifPrepared().orElseThrow();
  }

  /**
   * A part of the inbox that operators' calls need: built once, with the first call.
   *
   * @param problem what is not so while the inbox is not ready
   * @return throws {@link InboxException} while it is not
   */
  public <T> Part<T> whenReady(String problem, Function<Dialect, T> build) {
    return new Part<>(() -> build.apply(ready(problem)));
  }

  @Override
  protected Schema schema(Dialect found) {
    return new Schema(found, config());
  }

  @Override
  protected void read(Connection connection, Dialect found) throws SQLException {
    new MessageTables(config()).read(connection, ids, Instant.EPOCH);
    policies.cache().read(connection); // before the first delivery
    limits.mark();
    limits.counted(countKeptAside(connection, found).limited(), Duration.ZERO);
    for (AggregateCountStore.Line line :
        new AggregateCountStore(found, config().tables()).read(connection)) {
      limits.counted(line.consumer(), line.aggregates(), line.countedAt());
    }
    stores = Stores.of(found, config().tables(), contents);
  }

  @Override
  protected boolean isCompleted() {
    return !lacksFingerprintKey();
  }

  @Override
  protected void complete() throws SQLException {
    try {
      if (lacksFingerprintKey() && cipherRefusal().isEmpty()) {
        prepareFingerprintKey();
      }
    } catch (InboxException unusable) {
      if (isNews(
          String.valueOf(unusable.getMessage()),
          "the key of the fingerprints cannot be read; the log says why (IBX0162)")) {
        WatchLog.noFingerprintKey(problem());
      }
    }
  }

  /**
   * Counts the kept and captured messages before the first delivery. A killed process loses its
   * count, and without a new one each restart would again admit a flood of messages until the next
   * count.
   */
  private KeptCounts countKeptAside(Connection connection, Dialect found) throws SQLException {
    CountStore counts = new CountStore(found, config().tables());
    try {
      return KeptCounts.of(
          LocalTransactions.brief(counts::count, CountTable.LONGEST_COUNT).on(connection));
    } catch (SQLException tooLong) {
      WatchLog.countFailed(WatchLog.Counted.KEPT_ASIDE, tooLong);
      return KeptCounts.of(counts.read(connection).lines());
    }
  }

  /**
   * Forbids the application's cipher, with a reason. While it is forbidden, no message is handled.
   */
  public Optional<String> cipherRefusal() {
    if (!needsFingerprintKey || !config().confidentiality().encryptionRequired()) {
      return Optional.empty();
    }
    Optional<String> refusal = cipherTrial.refusal(cipher.get().orElseThrow());
    refusal.ifPresent(
        found -> {
          if (isNews(found, "the PayloadCipher cannot be used; the log says why (IBX0165)")) {
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
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(true);
      fingerprintKey =
          new InboxSecretStore(Dialect.of(connection, "inbox"), config().tables())
              .readOrMakeFingerprintKey(connection, cipher.get().orElseThrow());
    }
  }

  @Override
  protected String withoutTransactions() {
    return "The id of a message whose handler fails would stay, and the message would be skipped"
        + " when it is redelivered: it would be lost.";
  }

  @Override
  protected String settings(Dialect found) {
    return "service=%s, data-source=%s (%s), tables=%s, create-tables=%s, metrics=%s"
        .formatted(
            config().service(),
            config().dataSource(),
            found,
            config().tables().qualified("inbox_message"),
            config().createTables(),
            config().metrics());
  }
}
