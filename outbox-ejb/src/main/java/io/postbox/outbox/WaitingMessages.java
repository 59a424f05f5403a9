package io.postbox.outbox;

/**
 * The messages that wait for one destination, and what a person decides about them: those to a name
 * that leads nowhere, because it was mistyped, would wait for ever. Injectable, thread-safe.
 *
 * <p>To have them go somewhere else instead, name that place in {@code
 * postbox.outbox.destination.<name>.jndi-name}: what waits goes there after the next start.
 *
 * <p>Nothing here takes part in the caller's transaction, which is suspended meanwhile: a discard
 * works in transactions of its own, of up to 1,000 messages of one partition each, under that
 * partition's claim, so that the relay never waits for it for long. What it has done stays done,
 * also if the caller rolls back; if it breaks off, the same plan can be carried out again. Whoever
 * is logged in is written into {@code postbox_audit} with the reason, in the same transactions;
 * {@code unknown} if nobody is. Calling this is not restricted: put your own security before it.
 */
public interface WaitingMessages {

  /**
   * Says what a discard would touch, and changes nothing. Dead letters do not wait and are not
   * counted.
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
   * @throws OutboxException if the database failed; the message says how many were done
   */
  long discard(WaitingPlan plan, String reason);
}
