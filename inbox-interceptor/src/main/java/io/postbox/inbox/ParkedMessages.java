package io.postbox.inbox;

import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import java.util.List;
import java.util.Optional;

/**
 * The messages that their handlers could not handle, and what a person decides about them.
 * Injectable, thread-safe.
 *
 * <p>Nothing here takes part in the caller's transaction, which is suspended meanwhile. What was
 * done stays done, also if the caller rolls back; if it breaks off, the rest are parked still, and
 * another plan finds them.
 *
 * <p>Whoever is logged in is written into {@code postbox_audit} with the reason, in the same
 * transaction as the change; {@code unknown} if nobody is. Calling this is not restricted: put your
 * own security before it.
 *
 * <pre>{@code
 * KeptPlan plan =
 *     parked.plan(KeptFilter.all().consumer("shipping").errorContains("carrier is down"));
 * if (plan.messages() < 10_000) {
 *   parked.redrive(plan, "the carrier is back, see OPS-17");
 * }
 * }</pre>
 */
public interface ParkedMessages {

  /**
   * Lists parked messages in the order in which they were parked, in one query whose cost does not
   * grow with the pages before.
   *
   * @throws InboxException if the table cannot be read
   */
  List<ParkedMessage> find(KeptFilter filter, Page page);

  /**
   * One parked message; empty if there is none in this row (any more).
   *
   * @throws InboxException if the table cannot be read
   */
  Optional<ParkedMessage> get(long id);

  /**
   * All of a parked message, decrypted if need be; empty if there is none in this row (any more).
   * Who has seen which goes on record in {@code postbox_audit} before anything is shown.
   *
   * @throws InboxException if the table cannot be read, or the body cannot be decrypted
   */
  Optional<KeptPayload> payload(long id);

  /**
   * Says what a redrive or discard would touch, and changes nothing. The plan is bound to the
   * messages that are parked now: those that are parked later, also again, are not touched by it;
   * and to whoever is logged in. It is good for an hour, once, on any node.
   *
   * @throws InboxException if the table cannot be read
   */
  KeptPlan plan(KeptFilter filter);

  /**
   * Sends the plan's messages again, each with its id, body and properties, to the consumer's
   * {@code retry-destination}, or else to where it came from, and forgets their failures: their
   * handlers have all attempts again. Consumers of other names that listen there skip it, while
   * listeners without {@link Inbox} get it again, as those of a topic do; a consumer that no bean
   * of this application has is taken for renamed, and whoever listens takes its messages. A message
   * that was handled or discarded meanwhile is sent too, and the inbox skips it.
   *
   * <p>Each message is sent first and then deleted here, in a transaction of its own: a crash in
   * between repeats it, and the inbox skips it. It is sent as persistent and without expiry,
   * whatever it was. What cannot be sent stays parked, and the others go on: a message without a
   * destination because it came without JMS, one that cannot be decrypted, or one that the broker
   * refuses. When the broker refuses three in a row, the redrive breaks off.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is not for
   *     parked messages; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed or the broker takes nothing; the message says how
   *     many were sent
   */
  Redriven redrive(KeptPlan plan, String reason);

  /**
   * The same, with a choice about {@code JMSReplyTo}, which the senders of the messages have set
   * and {@link ParkedMessage#replyTo} shows. Without the choice it stays.
   *
   * @param replies what becomes of it; with {@link ReplyOnRedrive#KEEP} a message is refused whose
   *     reply-to the broker does not know (any more)
   */
  Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason);

  /**
   * Gives the plan's messages up: their ids are remembered as {@code DISCARDED}, so that a late
   * copy is skipped, and their content is deleted, in transactions of up to 1,000 messages. Where
   * the consumer has {@code order=version}, the order steps over a message's version when its turn
   * comes, and those behind it go on.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many were given up
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is not for
   *     parked messages; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed; the message says how many were done
   */
  long discard(KeptPlan plan, String reason);
}
