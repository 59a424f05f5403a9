package io.postbox.outbox;

import io.postbox.common.PlanRefusedException;
import java.time.Instant;
import java.util.List;

/**
 * The messages that wait for one destination, and what a person decides about them: those to a name
 * that leads nowhere, because it was mistyped, would wait for ever. Injectable, thread-safe.
 *
 * <p>They can be given up, or go somewhere else instead.
 *
 * <p>Nothing here takes part in the caller's transaction, which is suspended meanwhile. A discard
 * works in transactions of its own, of up to 1,000 messages of one partition each, under that
 * partition's claim, so that the relay never waits for it for long. What it has done stays done,
 * also if the caller rolls back; if it breaks off, another plan finds the rest. Whoever is logged
 * in is written into {@code postbox_audit} with the reason, in the same transactions; {@code
 * unknown} if nobody is. Calling this is not restricted: put your own security before it.
 */
public interface WaitingMessages {

  /**
   * Says what a discard would touch, and changes nothing. Dead letters do not wait and are not
   * counted. The plan is bound to whoever is logged in, and good for an hour, once, on any node.
   *
   * @param destination the logical name, 1 to 100 characters
   * @throws IllegalArgumentException if the name is blank or too long
   * @throws OutboxException if the tables cannot be read
   */
  WaitingPlan plan(String destination);

  /**
   * Gives the plan's messages up: they go to {@code outbox_archive} as {@code DISCARDED}, for the
   * configured retention. The relay goes on meanwhile, so that some may be sent instead: pause the
   * destination first if none may. What is left keeps its order.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many messages were given up
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws OutboxException if the database failed; the message says how many were done
   */
  long discard(WaitingPlan plan, String reason);

  /**
   * Has the messages to the plan's destination go to another one: those that wait, those that are
   * dead letters and redriven, and those enqueued later, until {@link #endRedirect}. No message is
   * changed: each keeps its place, so those of one key keep their order among themselves; between
   * them and what was enqueued for the target itself there is none. Metrics, breaker, pauses and
   * errors stay with the name that they were enqueued for. Every node obeys with its next batch; a
   * destination that is at fault is tried again within ten seconds. It holds for one step: what the
   * target's own redirect says does not concern them. Another redirect takes the place of an
   * earlier one.
   *
   * @param plan from {@link #plan}
   * @param target the logical name, one of {@code postbox.outbox.destinations} if that is set
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason or it is too long, or the target is not
   *     one that messages can be enqueued for, or is the plan's own destination; nothing was
   *     changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws OutboxException if the database failed; nothing was redirected
   */
  void redirect(WaitingPlan plan, String target, String reason);

  /**
   * Has the messages to a destination go where they were enqueued for again.
   *
   * @param destination the logical name for which they were enqueued
   * @param reason for the record: 1 to 1,000 characters
   * @return whether they went elsewhere
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean endRedirect(String destination, String reason);

  /**
   * What is redirected, by name.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<Redirect> redirects();

  /**
   * A destination whose messages go elsewhere because somebody said so.
   *
   * @param destination the logical name for which they are enqueued
   * @param target the logical name of where they go
   * @param reason why
   * @param principal who
   * @param since when, by the database's clock
   */
  record Redirect(
      String destination, String target, String reason, String principal, Instant since) {}
}
