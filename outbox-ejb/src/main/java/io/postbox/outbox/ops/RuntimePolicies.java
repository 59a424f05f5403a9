package io.postbox.outbox.ops;

import io.postbox.common.config.Retries;
import io.postbox.common.config.TableNames;
import io.postbox.common.ops.PolicyCache;
import io.postbox.common.store.PolicyTable;
import io.postbox.common.store.PolicyTable.Policy;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.log.OutboxLog;
import java.time.InstantSource;
import javax.sql.DataSource;

/**
 * How this node recovers from failures of messages to each destination: as operators have set it,
 * and otherwise as configured. Thread-safe.
 *
 * @param config the configuration
 * @param cache the policies that operators have set
 */
public record RuntimePolicies(OutboxConfig config, PolicyCache cache) {

  /**
   * The policies of a node, nothing of which is read yet.
   *
   * @param config the configuration, and where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param clock the node's clock, which never goes back
   */
  public static RuntimePolicies on(
      OutboxConfig config, DataSource dataSource, InstantSource clock) {
    return new RuntimePolicies(
        config, new PolicyCache(dataSource, table(config.tables()), clock, OutboxLog.SHARED));
  }

  static PolicyTable table(TableNames tables) {
    return new PolicyTable(tables.qualified("outbox_policy"), "destination", true);
  }

  /** The present policy of a destination, without I/O. */
  public Recovery recovery(String destination) {
    Recovery configured = config.recovery(destination);
    return cache.of(destination).map(policy -> with(configured, policy)).orElse(configured);
  }

  private static Recovery with(Recovery configured, Policy policy) {
    Retries retries = configured.retries().with(policy.retries());
    return new Recovery(
        retries.maxAttempts(),
        retries.backoff(),
        policy.onDeadLetter().map(OnDeadLetter::valueOf).orElse(configured.onDeadLetter()));
  }
}
