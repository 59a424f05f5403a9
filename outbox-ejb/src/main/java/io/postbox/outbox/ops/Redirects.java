package io.postbox.outbox.ops;

import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Planned;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingMessages.Redirect;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.OperatorStore.Those;
import io.postbox.outbox.store.RedirectStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Redirects the messages of one destination to another, and audits that. Rows and lanes stay
 * unchanged; the relay's read returns the target. Thread-safe.
 */
public final class Redirects {
  private final OutboxConfig config;
  private final OperatorCalls calls;
  private final RedirectStore store;
  private final Plans plans;

  public Redirects(OutboxTables tables) {
    config = tables.config();
    calls = tables.calls();
    store = new RedirectStore(config.tables());
    plans = tables.plans();
  }

  /**
   * Redirects the messages of the plan's destination.
   *
   * @param plan its id
   * @param destination the plan's
   * @throws IllegalArgumentException if there is no reason, or the target is unknown
   * @throws PlanRefusedException if the plan is invalid
   * @throws OutboxException if the database failed
   * @throws UnsupportedOperationException if no node relays
   */
  public void redirect(
      UUID plan, String destination, String target, String principal, String reason) {
    RelayOnly.check(
        config,
        "'%s' cannot be redirected".formatted(destination),
        "Route in the connector, or set postbox.outbox.relay.mode=polling until what waits is"
            + " sent");
    Order order = new Order(plan, "redirect", principal, reason);
    refuse(destination, target);
    plans.commit(
        order, (connection, planned) -> begin(connection, order, planned, destination, target));
    OutboxLog.redirected(destination, target, principal, order.reason());
  }

  private Optional<Boolean> begin(
      Connection connection, Order order, Planned planned, String destination, String target)
      throws SQLException {
    Optional<MessagePlan> waiting =
        MessagePlan.of(planned.plan(), Those.WAITING)
            .filter(it -> it.destination().equals(destination));
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    String subject =
        "messages to '%s' go to '%s'%s"
            .formatted(destination, target, waiting.get().leastNumber(planned.total()));
    plans.begin(connection, order, subject, ActionTable.ERASED, State.DONE, planned.total());
    store.redirect(connection, destination, target, order.principal(), order.reason());
    return Optional.of(true);
  }

  /**
   * Ends a redirect.
   *
   * @return whether they were redirected
   */
  public boolean end(String destination, String principal, String reason) {
    Entry entry = new Order("end-redirect", principal, reason).entry(destination);
    boolean changed =
        calls.change(
            "The redirect of '%s' was not ended".formatted(destination),
            plans.audit(),
            entry,
            connection -> store.end(connection, destination));
    if (changed) {
      OutboxLog.redirectEnded(destination, entry.principal(), entry.reason());
    }
    return changed;
  }

  /** The redirects, by destination. */
  public List<Redirect> all() {
    return calls.ask("The redirects cannot be read", store::redirects);
  }

  private void refuse(String destination, String target) {
    Optional<String> objection =
        target.equals(destination)
            ? Optional.of("'%s' is their destination already".formatted(target))
            : config.destinations().objection(target);
    if (objection.isPresent()) {
      throw new IllegalArgumentException(
          "The messages to '%s' cannot be redirected: the target %s. Nothing was changed."
              .formatted(destination, objection.get()));
    }
  }
}
