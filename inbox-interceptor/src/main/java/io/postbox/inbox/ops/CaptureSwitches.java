package io.postbox.inbox.ops;

import io.postbox.common.Paused;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.SwitchControl;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.text.Storable;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.CaptureSwitchStore;
import java.util.List;
import javax.sql.DataSource;

/**
 * Pauses and resumes the handling of captured messages for the workers of all nodes, and audits
 * that. Thread-safe.
 */
public final class CaptureSwitches {
  private static final int LONGEST_NAME = 100;

  private final OperatorCalls calls;
  private final CaptureSwitchStore store;
  private final SwitchControl control;
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
    calls = new OperatorCalls(new LocalTransactions(dataSource), InboxLog::failure);
    store = new CaptureSwitchStore(dialect, config.tables());
    control =
        new SwitchControl(
            calls,
            store,
            new AuditStore("inbox", config.tables(), config.service()),
            CaptureLog::handlingPaused,
            CaptureLog::handlingResumed);
  }

  /** Pauses a consumer. */
  public boolean pause(String consumer, String principal, String reason) {
    check(consumer);
    // One that is not deployed any more, or not here, has messages.
    return control.pause(
        consumer,
        deployed.objection(consumer).map(objection -> objection + ", and no message is its"),
        connection -> store.isRemembered(connection, consumer),
        principal,
        reason);
  }

  /** Resumes a consumer. */
  public boolean resume(String consumer, String principal, String reason) {
    check(consumer);
    return control.resume(consumer, principal, reason);
  }

  /** The paused consumers. */
  public List<Paused> paused() {
    return calls.ask("The paused consumers cannot be read", store::paused);
  }

  private static void check(String consumer) {
    if (consumer.isBlank()
        || consumer.length() > LONGEST_NAME
        || !Storable.printable(consumer).equals(consumer)) {
      throw new IllegalArgumentException(
          "A consumer's name has 1 to %s characters, none of them a control character: '%s'. Nothing was changed."
              .formatted(LONGEST_NAME, Storable.printable(consumer)));
    }
  }
}
