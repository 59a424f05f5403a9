package io.postbox.outbox;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An operator's actions on the messages that wait for one destination: without them, messages to a
 * mistyped name would wait for ever. Injectable, thread-safe.
 *
 * <p>An operator can discard them, cancel a single one, or redirect them to another destination.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. A discard of a
 * plan starts an action of {@link OutboxActions} and waits for its end for up to a minute, as
 * {@link DeadLetters#discard} does. The caller's principal and the reason are written to {@code
 * postbox_audit} in the same transactions; the principal is {@code unknown} if no user is logged
 * in. The methods do not check who calls them: put your own security before them.
 */
public interface WaitingMessages {

  /**
   * Counts the messages that a discard would touch, and changes nothing. Dead letters do not wait
   * and are not counted. The plan is valid once, for an hour, on any node, and only for the calling
   * principal.
   *
   * @param destination the logical name, 1 to 100 characters
   * @throws IllegalArgumentException if the name is blank or too long
   * @throws OutboxException if the tables cannot be read
   */
  WaitingPlan plan(String destination);

  /**
   * Discards the plan's messages: moves them to {@code outbox_archive} as {@code DISCARDED}, for
   * the configured retention. The relay keeps running and may send some of them first: pause the
   * destination to prevent that. The remaining messages keep their order.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many messages were discarded
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws ActionUnfinishedException if the action was begun, and is not done after a minute
   * @throws OutboxException if the database failed; the message says whether the action was begun
   */
  long discard(WaitingPlan plan, String reason);

  /**
   * Cancels one message that has not been sent yet, at once and behind no action: moves it to
   * {@code outbox_archive} as {@code DISCARDED}, for the configured retention, under the claim of
   * its partition. If the relay has it in a batch, this waits for the outcome. Messages that wait
   * behind it follow, and keep their order. A dead letter does not wait: {@link
   * DeadLetters#discard} it.
   *
   * @param id the message's
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was cancelled; otherwise it has been sent, is a dead letter, or was never
   *     there
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean cancel(UUID id, String reason);

  /**
   * Plans to cancel one message, and changes nothing. The plan is valid once, for an hour, on any
   * node, and only for the calling principal.
   *
   * @param id the message's
   * @throws OutboxException if the database failed
   */
  PlanToken planCancel(UUID id);

  /**
   * Cancels a message as it was planned. A plan that comes too late stays valid.
   *
   * @param plan the id of one from {@link #planCancel}
   * @param id the message's
   * @throws PlanRefusedException if the plan was not made by {@link #planCancel} for the caller and
   *     this message, is older than an hour, or was carried out already; nothing was changed
   */
  boolean cancel(UUID plan, UUID id, String reason);

  /**
   * Redirects the messages of the plan's destination to another one: waiting messages, redriven
   * dead letters, and messages enqueued later, until {@link #endRedirect}. No message is changed:
   * each keeps its place, so the messages of one key keep their order among themselves; they have
   * no order relative to messages enqueued for the target itself. Metrics, circuit breaker, pauses
   * and errors stay with the original name. Every node applies the redirect with its next batch; an
   * unavailable destination is retried within ten seconds. A redirect of the target itself does not
   * apply to these messages. A new redirect replaces an earlier one.
   *
   * @param plan the id of one from {@link #plan}
   * @param destination the plan's
   * @param target the logical name, one of {@code postbox.outbox.destinations} if that is set
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason or it is too long, if messages cannot be
   *     enqueued for the target, or if it is the plan's own destination; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller and this
   *     destination, is older than an hour, or was carried out already; nothing was changed
   * @throws OutboxException if the database failed; nothing was redirected
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  void redirect(UUID plan, String destination, String target, String reason);

  /**
   * Ends a redirect: the messages go to their original destination again.
   *
   * @param destination the logical name for which they were enqueued
   * @param reason for the record: 1 to 1,000 characters
   * @return whether they were redirected
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean endRedirect(String destination, String reason);

  /**
   * The redirects, by destination.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<Redirect> redirects();

  /**
   * A redirected destination.
   *
   * @param destination the logical name for which the messages are enqueued
   * @param target the logical name to which they are sent
   * @param reason the operator's
   * @param principal the operator
   * @param since when the action took effect, by the database's clock
   */
  record Redirect(
      String destination, String target, String reason, String principal, Instant since) {}
}
