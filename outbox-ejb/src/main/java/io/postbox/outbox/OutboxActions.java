package io.postbox.outbox;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.RedrivePace;
import java.util.UUID;

/**
 * The outbox's actions in the background: those that {@link DeadLetters} and {@link
 * WaitingMessages} start and wait for, without the wait. {@link OperatorActions} says how they run.
 * Injectable, thread-safe.
 *
 * <p>The kinds are {@code redrive}, {@code discard} and {@code discard-waiting}. A step changes up
 * to 1,000 messages of one partition, under that partition's claim. A redrive marks no letters that
 * are due more than some ten seconds later at the plan's rate, so that a pause or the cancellation
 * takes effect in that time; after a pause it goes on at the same rate.
 */
public interface OutboxActions extends OperatorActions {

  /**
   * Starts to make the plan's letters pending again, as {@link DeadLetters#redrive} does.
   *
   * <p>With {@link RedrivePace#first} it begins with so many letters, in the order in which they
   * were enqueued, with those of the plan that expired together with one of them and have its
   * ordering key. Once all of them were sent, or have been discarded, the others follow. If an
   * attempt on one of them is charged before, the action is paused; its {@link
   * OperatorAction#failures} is the number of letters that had failed again by then, and its note
   * says so. Resumed, it goes on with the others and waits for nothing more. An unavailable
   * destination charges no attempts: the action waits until it works.
   *
   * @param plan the id of one from {@link DeadLetters#plan}
   * @param pace how many letters become due each second, and how many go first
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws PlanRefusedException if the plan was not made by {@link DeadLetters#plan} for the
   *     caller, is older than an hour, or was carried out already; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  OperatorAction redrive(UUID plan, RedrivePace pace, String reason);

  /**
   * Starts to discard the plan's letters, as {@link DeadLetters#discard} does; it throws what
   * {@link #redrive} does.
   *
   * @param plan the id of one from {@link DeadLetters#plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction discard(UUID plan, String reason);

  /**
   * Starts to discard the plan's messages, as {@link WaitingMessages#discard} does; it throws what
   * {@link #redrive} does.
   *
   * @param plan the id of one from {@link WaitingMessages#plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction discardWaiting(UUID plan, String reason);
}
