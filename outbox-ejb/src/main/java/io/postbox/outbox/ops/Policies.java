package io.postbox.outbox.ops;

import io.postbox.common.RuntimePolicy;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.PolicyControl;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.PolicyTable.Policy;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxPolicy.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import java.util.List;
import javax.sql.DataSource;

/** Sets, ends and lists the policies of destinations, and audits that. Thread-safe. */
public final class Policies {
  private final OutboxConfig config;
  private final PolicyControl control;

  /**
   * @param policies this node's, which follow
   * @param dataSource its connections must not be part of a transaction
   */
  public Policies(RuntimePolicies policies, DataSource dataSource) {
    config = policies.config();
    control =
        new PolicyControl(
            "destination",
            new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), OutboxLog::failure),
            RuntimePolicies.table(config.tables()),
            new AuditStore("outbox", config.tables(), config.service()),
            policies.cache(),
            OutboxLog.SHARED);
  }

  /**
   * Sets the policy of a destination.
   *
   * @throws IllegalArgumentException if the destination, the policy or the reason is refused
   * @throws IllegalStateException if there are as many policies as there may be
   * @throws OutboxException if the database failed
   * @throws UnsupportedOperationException if no node relays
   */
  public void set(String destination, OutboxPolicy policy, String principal, String reason) {
    RelayOnly.check(
        config,
        "The policy of '%s' cannot be set".formatted(destination),
        "Set the connector's retries, or set postbox.outbox.relay.mode=polling");
    control.set(
        destination,
        config.destinations().objection(destination),
        config.recovery(destination).retries(),
        new Policy(policy.retries(), policy.onDeadLetter().map(OnDeadLetter::name)),
        principal,
        reason);
  }

  /** Ends the policy of a destination, and returns whether there was one. */
  public boolean reset(String destination, String principal, String reason) {
    return control.reset(destination, principal, reason);
  }

  /** The policies by destination. */
  public List<RuntimePolicy<OutboxPolicy>> list() {
    return control.list().stream().map(Policies::policy).toList();
  }

  private static RuntimePolicy<OutboxPolicy> policy(RuntimePolicy<Policy> row) {
    return new RuntimePolicy<>(
        row.name(),
        new OutboxPolicy(
            row.policy().retries(), row.policy().onDeadLetter().map(OnDeadLetter::valueOf)),
        row.reason(),
        row.principal(),
        row.since());
  }
}
