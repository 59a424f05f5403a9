package io.postbox.inbox;

import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import java.util.List;
import java.util.Optional;

/**
 * The deliveries that were kept aside because they have no usable id, or a known id and other
 * content, and what a person decides about them. Injectable, thread-safe; to transactions, record
 * and security applies what {@link ParkedMessages} says.
 *
 * <p>Less is known of them than of parked messages: a filter with an event type, an aggregate or an
 * error is refused with an {@link IllegalArgumentException}.
 */
public interface QuarantinedMessages {

  /**
   * Lists quarantined messages in the order in which they came, in one query whose cost does not
   * grow with the pages before.
   *
   * @throws InboxException if the table cannot be read
   */
  List<QuarantinedMessage> find(KeptFilter filter, Page page);

  /**
   * One quarantined message; empty if there is none in this row (any more).
   *
   * @throws InboxException if the table cannot be read
   */
  Optional<QuarantinedMessage> get(long id);

  /**
   * All of a quarantined message, decrypted if need be; empty if there is none in this row (any
   * more). Who has seen which goes on record in {@code postbox_audit} before anything is shown.
   *
   * @throws InboxException if the table cannot be read, or the body cannot be decrypted
   */
  Optional<KeptPayload> payload(long id);

  /**
   * Says what a redrive or discard would touch, and changes nothing. The plan is bound to the
   * messages that are quarantined now, and to whoever is logged in. It is good for an hour, once,
   * on any node.
   *
   * @throws InboxException if the table cannot be read
   */
  KeptPlan plan(KeptFilter filter);

  /**
   * Releases the plan's messages: sends each with its body and properties, but under a new id, a
   * UUID, so that it is handled as a message of its own. Think first: with {@code OTHER_CONTENT},
   * something was handled under its id already, and both may tell of the same.
   *
   * <p>The new id is derived from the consumer, the body, and the id or else the JMSMessageID with
   * which the message first came: what was kept aside several times of one delivery has one new id
   * (with {@code table-partitioning=daily}, on one day) and is handled once.
   *
   * <p>The new id goes where the consumer looks for one: the property {@code OutboxMessageId}, or
   * the one that {@link Inbox#property} names; with {@link IdFrom#JMS_MESSAGE_ID}, the property
   * {@code InboxMessageId}, which the inbox prefers to the header. With {@link IdFrom#RESOLVER} a
   * message is refused, because the resolver would find the old id. Otherwise as {@link
   * ParkedMessages#redrive}; the new id is stored before the message is sent, so that a repeat
   * after a crash has the same and is skipped.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is not for
   *     quarantined messages; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed or the broker takes nothing; the message says how
   *     many were sent
   */
  Redriven redrive(KeptPlan plan, String reason);

  /**
   * The same, with a choice about {@code JMSReplyTo}, which the senders of the messages have set
   * and {@link QuarantinedMessage#replyTo} shows. Without the choice it stays.
   *
   * @param replies what becomes of it; with {@link ReplyOnRedrive#KEEP} a message is refused whose
   *     reply-to the broker does not know (any more)
   */
  Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason);

  /**
   * Gives the plan's messages up: they are deleted, in transactions of up to 1,000.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many were given up
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is not for
   *     quarantined messages; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed; the message says how many were done
   */
  long discard(KeptPlan plan, String reason);
}
