package io.postbox.inbox.ops;

import io.postbox.common.ops.Reasons;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.text.Storable;
import io.postbox.inbox.CaptureControl.Paused;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.CaptureSwitchStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Pauses and resumes the handling of captured messages for the workers of all nodes, and audits
 * that. Thread-safe.
 */
public final class CaptureSwitches {
  private static final int LONGEST_NAME = 100;

  private final LocalTransactions transactions;
  private final CaptureSwitchStore store;
  private final AuditStore audit;
  private final DeployedConsumers deployed;

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   * @param deployed the consumers of this application
   */
  public CaptureSwitches(
      Dialect dialect, InboxConfig config, DataSource dataSource, DeployedConsumers deployed) {
    this.deployed = deployed;

    transactions = new LocalTransactions(dataSource);
    store = new CaptureSwitchStore(dialect, config.tables());
    audit = new AuditStore("inbox", config.tables(), config.service());
  }

  /** Pauses a consumer. */
  public boolean pause(String consumer, String principal, String reason) {
    Entry entry = entry("pause", consumer, principal, reason);
    refuseUnknown(consumer);
    boolean changed =
        run(
            "'%s' cannot be paused, nothing was changed".formatted(consumer),
            connection ->
                store.pause(connection, consumer, entry.principal(), entry.reason())
                    && isOnRecord(connection, entry));
    if (changed) {
      CaptureLog.handlingPaused(consumer, entry.principal(), entry.reason());
    }
    return changed;
  }

  /** One that is not deployed any more, or not here, has messages. */
  private void refuseUnknown(String consumer) {
    Optional<String> objection = deployed.objection(consumer);
    if (objection.isPresent()
        && !run(
            "'%s' cannot be paused, nothing was changed".formatted(consumer),
            connection -> store.isRemembered(connection, consumer))) {
      throw new IllegalArgumentException(
          "'%s' cannot be paused: %s, and no message is its. Nothing was changed."
              .formatted(consumer, objection.get()));
    }
  }

  /** Resumes a consumer. */
  public boolean resume(String consumer, String principal, String reason) {
    Entry entry = entry("resume", consumer, principal, reason);
    boolean changed =
        run(
            "'%s' cannot be resumed, nothing was changed".formatted(consumer),
            connection -> store.resume(connection, consumer) && isOnRecord(connection, entry));
    if (changed) {
      CaptureLog.handlingResumed(consumer, entry.principal(), entry.reason());
    }
    return changed;
  }

  /** The paused consumers. */
  public List<Paused> paused() {
    return run("The paused consumers cannot be read", LocalTransactions.brief(store::paused));
  }

  private boolean isOnRecord(Connection connection, Entry entry) throws SQLException {
    audit.write(connection, entry, 0);
    return true;
  }

  private static Entry entry(String action, String consumer, String principal, String reason) {
    if (consumer.isBlank()
        || consumer.length() > LONGEST_NAME
        || !Storable.printable(consumer).equals(consumer)) {
      throw new IllegalArgumentException(
          "A consumer's name has 1 to %s characters, none of them a control character: '%s'. Nothing was changed."
              .formatted(LONGEST_NAME, Storable.printable(consumer)));
    }
    return new Entry(UUID.randomUUID(), action, principal, Reasons.checked(reason), consumer);
  }

  private <T> T run(String problem, LocalTransactions.Work<T> work) {
    try {
      return transactions.commit(work);
    } catch (SQLException failed) {
      throw new InboxException(problem + ": " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
