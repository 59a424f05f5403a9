package io.postbox.common.ops;

import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Planned;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * A module's plans. A plan is a row of the table of actions; to carry it out changes the row's
 * state, so it is carried out once, by its owner, within its time, on any node. Thread-safe.
 *
 * @param calls for the rows
 * @param table the plans and actions
 * @param audit where the record goes
 * @param refusals is told the principal that was refused, and why: it may be an attempt to act on
 *     messages that no plan has shown
 */
public record Plans(
    OperatorCalls calls, ActionTable table, AuditStore audit, BiConsumer<String, String> refusals) {

  /**
   * An operator's order to carry out a plan, or something else at once.
   *
   * @param plan its id; also of the record
   * @param action what to do
   * @param principal who orders it
   * @param reason why, checked
   */
  public record Order(UUID plan, String action, String principal, String reason) {
    /** Checks the reason. */
    public Order {
      reason = Reasons.checked(reason);
    }

    /** For something that was not planned. */
    public Order(String action, String principal, String reason) {
      this(UUID.randomUUID(), action, principal, reason);
    }

    /** The record of it. */
    public Entry entry(String subject) {
      return new Entry(plan, action, principal, reason, subject);
    }
  }

  /**
   * Keeps a plan for an hour. A person has up to {@value ActionTable#MOST_PLANS}: the oldest goes.
   *
   * @param principal the user who asked for it
   * @param subject what it is about, readable
   * @param plan the work to do, in the module's words
   * @param total how many messages it counted
   */
  public PlanToken keep(String principal, String subject, String plan, long total) {
    Entry entry = new Entry(UUID.randomUUID(), "plan", principal, "", subject);
    return calls.commit(
        "The plan cannot be kept, nothing was changed",
        connection -> {
          Instant now = table.now(connection);
          Instant expiresAt = now.plus(ActionTable.VALIDITY);
          table.forgetPlans(connection, entry.principal(), now.minus(ActionTable.VALIDITY));
          table.keep(connection, entry, plan, total, expiresAt);
          return new PlanToken(entry.id(), principal, expiresAt);
        });
  }

  /** What is done with a plan in the transaction that begins it. */
  @FunctionalInterface
  public interface Begin<T> {
    /**
     * Begins it, with {@link #begin}.
     *
     * @return empty if the plan is for something else, which refuses it
     */
    Optional<T> on(Connection connection, Planned plan) throws SQLException;
  }

  /**
   * Begins to carry out a plan, in one transaction.
   *
   * @throws PlanRefusedException if the plan is not on record, not the caller's, too old, begun
   *     already, or for something else; nothing was changed
   */
  public <T> T commit(Order order, Begin<T> begin) {
    return calls.commit(
        "The %s was not begun, nothing was changed".formatted(order.action()),
        connection ->
            begin
                .on(connection, taken(connection, order))
                .orElseThrow(() -> refused(order, Why.UNKNOWN)));
  }

  /**
   * Does something at once, in one transaction, which also ends its plan if it has one.
   *
   * @param problem what is not so if the database fails
   * @param plan what the row must have, if this was planned
   * @param work also writes the record, under the order's id; empty if it is too late, which leaves
   *     the plan as it is
   * @throws PlanRefusedException as {@link #commit} does
   */
  public <T> Optional<T> once(
      String problem, Order order, Optional<String> plan, Work<Optional<T>> work) {
    return calls.commit(
        problem,
        connection -> {
          if (plan.isEmpty()) {
            return work.on(connection);
          }
          Planned planned = taken(connection, order);
          if (!planned.plan().equals(plan.get())) {
            throw refused(order, Why.UNKNOWN);
          }
          Optional<T> done = work.on(connection);
          if (done.isPresent()) {
            Entry entry = order.entry(planned.subject());
            table.begin(connection, entry, ActionTable.ERASED, State.DONE, planned.total());
          }
          return done;
        });
  }

  private Planned taken(Connection connection, Order order) throws SQLException {
    Planned plan =
        table.planned(connection, order.plan()).orElseThrow(() -> refused(order, Why.UNKNOWN));
    Entry entry = order.entry("");
    if (!plan.principal().equals(entry.principal())) {
      throw refused(order, Why.FOREIGN);
    }
    if (!plan.isOpen()) {
      throw refused(order, Why.USED);
    }
    if (plan.isExpired()) {
      throw refused(order, Why.EXPIRED);
    }
    return plan;
  }

  /**
   * Puts the beginning on record and makes an action of the plan.
   *
   * @param subject to what, readable
   * @param work what there is to do
   * @param state {@code RUNNING} for what goes on in the background
   * @param messages how many are done already
   */
  public void begin(
      Connection connection, Order order, String subject, String work, State state, long messages)
      throws SQLException {
    Entry entry = order.entry(subject);
    audit.write(connection, entry, messages);
    table.begin(connection, entry, work, state, messages);
  }

  private PlanRefusedException refused(Order order, Why why) {
    PlanRefusedException refused = new PlanRefusedException(order.plan(), why);
    refusals.accept(order.principal(), String.valueOf(refused.getMessage()));
    return refused;
  }
}
