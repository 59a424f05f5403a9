package io.postbox.common.ops;

import io.postbox.common.RuntimePolicy;
import io.postbox.common.config.Retries;
import io.postbox.common.log.SharedLog;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.PolicyTable;
import io.postbox.common.store.PolicyTable.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sets, ends and lists a module's policies, each in a transaction of its own, and audits that. A
 * change is in effect on this node when the method returns. Thread-safe.
 *
 * @param what is named: {@code destination} or {@code consumer}
 * @param calls run again if another transaction has inserted the same row
 * @param table the policies
 * @param audit where the record goes
 * @param cache this node's copy
 * @param log the module's
 */
public record PolicyControl(
    String what,
    OperatorCalls calls,
    PolicyTable table,
    AuditStore audit,
    PolicyCache cache,
    SharedLog log) {

  /**
   * Sets the policy of a name; replaces an earlier one.
   *
   * @param objection to the name, if there is one
   * @param configured the values in effect without a policy
   * @throws IllegalArgumentException if the name, the policy or the reason is refused
   * @throws IllegalStateException if there are as many policies as there may be
   */
  public void set(
      String name,
      Optional<String> objection,
      Retries configured,
      Policy policy,
      String principal,
      String reason) {
    refuse(name, objection, configured, policy);
    String text = text(policy);
    Entry entry = new Order("set-policy", principal, reason).entry("%s: %s".formatted(name, text));
    calls.commit(
        "The policy of '%s' was not set".formatted(name),
        connection -> {
          if (table.isFull(connection, name)) {
            throw new IllegalStateException(
                "There are %s policies, and no more can be set: that of '%s' was not. Reset those that are not needed any more, or configure what is meant to stay."
                    .formatted(PolicyTable.MOST, name));
          }
          table.set(connection, name, policy, entry.principal(), entry.reason());
          audit.write(connection, entry, 0);
          return true;
        });
    cache.refresh();
    log.policySet(name, text, entry.principal(), entry.reason());
  }

  private void refuse(String name, Optional<String> objection, Retries configured, Policy policy) {
    List<String> problems = new ArrayList<>();
    objection.ifPresent(problems::add);
    problems.addAll(configured.objections(policy.retries()));
    if (text(policy).isEmpty()) {
      problems.add("it says nothing; to have all as configured again, reset it");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "The policy of the %s '%s' was not set, nothing was changed: %s"
              .formatted(what, name, String.join("; ", problems)));
    }
  }

  /** A policy, in the configuration's words. */
  private static String text(Policy policy) {
    return Stream.of(
            policy.retries().toString(),
            policy
                .onDeadLetter()
                .map(choice -> "on-dead-letter=" + choice.toLowerCase(Locale.ROOT))
                .orElse(""))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /**
   * Ends the policy of a name.
   *
   * @return whether there was one
   * @throws IllegalArgumentException if the reason is refused
   */
  public boolean reset(String name, String principal, String reason) {
    Entry entry = new Order("end-policy", principal, reason).entry(name);
    boolean isEnded =
        calls.change(
            "The policy of '%s' was not ended".formatted(name),
            audit,
            entry,
            connection -> table.reset(connection, name));
    if (isEnded) {
      cache.refresh();
      log.policyEnded(name, entry.principal(), entry.reason());
    }
    return isEnded;
  }

  /** All policies by name, as they are in the database now. */
  public List<RuntimePolicy<Policy>> list() {
    return calls.ask("The policies cannot be read", table::read);
  }
}
