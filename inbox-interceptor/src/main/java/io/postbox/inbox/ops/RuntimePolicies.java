package io.postbox.inbox.ops;

import io.postbox.common.config.TableNames;
import io.postbox.common.ops.PolicyCache;
import io.postbox.common.store.PolicyTable;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * The consumers' settings on this node: the retries as operators have set them, and all else as
 * configured. Thread-safe.
 *
 * @param config the configuration
 * @param cache the settings of operators
 */
public record RuntimePolicies(InboxConfig config, PolicyCache cache) {

  /**
   * The policies of a node, nothing of which is read yet.
   *
   * @param config the configuration, and where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param clock the node's clock, which never goes back
   */
  public static RuntimePolicies on(InboxConfig config, DataSource dataSource, InstantSource clock) {
    return new RuntimePolicies(
        config, new PolicyCache(dataSource, table(config.tables()), clock, InboxLog.SHARED));
  }

  static PolicyTable table(TableNames tables) {
    return new PolicyTable(tables.qualified("inbox_policy"), "consumer", false);
  }

  /** A consumer's present settings, without I/O. */
  public ConsumerConfig of(String consumer) {
    ConsumerConfig configured = config.of(consumer);
    return cache
        .of(consumer)
        .map(policy -> configured.with(configured.retries().with(policy.retries())))
        .orElse(configured);
  }

  /** The consumers that have settings of their own, configured or set. */
  Set<String> named() {
    Set<String> named = new TreeSet<>(config.consumers().keySet());
    named.addAll(cache.all().keySet());
    return named;
  }
}
