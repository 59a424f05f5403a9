package io.postbox.inbox.ops;

import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.PolicyControl;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.PolicyTable.Policy;
import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import java.util.List;
import java.util.Optional;

/** Sets, ends and lists the policies of consumers, and audits that. Thread-safe. */
public final class Policies {
  private static final int LONGEST_NAME = 100;

  private final InboxConfig config;
  private final DeployedConsumers consumers;
  private final PolicyControl control;

  /**
   * @param policies this node's, which follow
   * @param calls run again if another transaction has inserted the same row
   * @param consumers of the application
   */
  public Policies(RuntimePolicies policies, OperatorCalls calls, DeployedConsumers consumers) {
    config = policies.config();
    this.consumers = consumers;
    control =
        new PolicyControl(
            "consumer",
            calls,
            RuntimePolicies.table(config.tables()),
            new AuditStore("inbox", config.tables(), config.service()),
            policies.cache(),
            InboxLog.SHARED);
  }

  /**
   * Sets the policy of a consumer.
   *
   * @throws IllegalArgumentException if the consumer, the policy or the reason is refused
   * @throws IllegalStateException if there are as many policies as there may be
   * @throws InboxException if the database failed
   */
  public void set(String consumer, RetryPolicy policy, String principal, String reason) {
    control.set(
        consumer,
        objection(consumer),
        config.of(consumer).retries(),
        new Policy(policy, Optional.empty()),
        principal,
        reason);
  }

  private Optional<String> objection(String consumer) {
    return consumer.isBlank()
            || consumer.length() > LONGEST_NAME
            || !Storable.printable(consumer).equals(consumer)
        ? Optional.of(
            "a consumer's name has 1 to %s characters, none of them a control character"
                .formatted(LONGEST_NAME))
        : consumers.objection(consumer);
  }

  /** Ends the policy of a consumer, and returns whether there was one. */
  public boolean reset(String consumer, String principal, String reason) {
    return control.reset(consumer, principal, reason);
  }

  /** The policies by consumer. */
  public List<RuntimePolicy<RetryPolicy>> list() {
    return control.list().stream()
        .map(
            row ->
                new RuntimePolicy<>(
                    row.name(), row.policy().retries(), row.reason(), row.principal(), row.since()))
        .toList();
  }
}
