package io.postbox.inbox;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.RedrivePace;
import java.util.UUID;

/**
 * The inbox's actions in the background: those that {@link ParkedMessages} and {@link
 * QuarantinedMessages} start and wait for, without the wait. {@link OperatorActions} says how they
 * run. Injectable, thread-safe.
 *
 * <p>The kinds are {@code redrive}, {@code discard} and {@code hold}. {@link
 * OperatorAction#failures} is the number of messages that could not be sent and are still kept
 * aside; the note of an action that is done names the last of them. After three refusals by the
 * broker in a row the action fails; resumed, it begins again with the first of the three.
 */
public interface InboxActions extends OperatorActions {

  /**
   * Starts to hand the plan's messages back to their consumers, with their reply destinations, as
   * {@link KeptMessages#redrive(KeptPlan, String)} does. The transaction that notes it of one saves
   * the action's progress, and its copy is sent after the commit: a crash in between only delays
   * that, by a minute.
   *
   * @param plan the id of one from {@link KeptMessages#plan}, for messages of either kind
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws PlanRefusedException if the plan was not made by {@link KeptMessages#plan} for the
   *     caller, is older than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed; nothing was changed
   */
  OperatorAction redrive(UUID plan, String reason);

  /**
   * Starts to send the plan's messages, and keeps or drops their reply destinations; it throws what
   * {@link #redrive(UUID, String)} does.
   *
   * @param plan the id of one from {@link KeptMessages#plan}, for messages of either kind
   * @param replies whether to keep the {@code JMSReplyTo} that their senders have set
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction redrive(UUID plan, ReplyOnRedrive replies, String reason);

  /**
   * Starts to send the plan's messages at a rate, and some of them ahead of the others; it throws
   * what {@link #redrive(UUID, String)} does.
   *
   * <p>With {@link RedrivePace#first} the action sends so many messages, oldest first, and waits
   * until their consumer has handled or discarded all of them. If an attempt at one of them fails
   * and is charged, or one is parked again, the action is paused and its note says so. Resumed, it
   * goes on with the others and waits for nothing more. It waits for as long as a message is
   * neither handled nor fails: pause and cancel it if nobody listens. A message whose consumer
   * handled it before counts as handled.
   *
   * @param plan the id of one from {@link KeptMessages#plan}, for messages of either kind
   * @param replies whether to keep the {@code JMSReplyTo} that their senders have set
   * @param pace the rate, and how many go first
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction redrive(UUID plan, ReplyOnRedrive replies, RedrivePace pace, String reason);

  /**
   * Starts to discard the plan's messages, up to 1,000 in a step; it throws what {@link
   * #redrive(UUID, String)} does.
   *
   * @param plan the id of one from {@link KeptMessages#plan}, for messages of either kind
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction discard(UUID plan, String reason);

  /**
   * Starts to park the plan's messages, which are retried by themselves, up to 1,000 in a step, so
   * that they are retried no more until somebody redrives them. Their reason is {@code HELD}. It
   * throws what {@link #redrive(UUID, String)} does, and an {@link IllegalArgumentException} if the
   * plan is for other messages.
   *
   * @param plan the id of one from {@link ParkedMessages#plan}, with a filter by the reason {@code
   *     DELAYED} or {@code HANDED_BACK}
   * @param reason for the record: 1 to 1,000 characters
   * @return the action
   */
  OperatorAction hold(UUID plan, String reason);
}
