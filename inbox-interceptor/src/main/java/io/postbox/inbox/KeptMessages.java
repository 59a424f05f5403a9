package io.postbox.inbox;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.StoredPayload;
import java.util.List;
import java.util.Optional;

/**
 * The actions of an operator on messages that the inbox keeps aside: {@link ParkedMessages} and
 * {@link QuarantinedMessages}. Thread-safe.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. A redrive or
 * discard starts an action of {@link InboxActions}, and waits for its end for up to a minute. The
 * action takes its turn behind those that run, on this node or another one, and its id is that of
 * the plan. What it has done stays done if the caller rolls back. If it has not ended in time, or
 * if the waiting thread is interrupted, the caller gets an {@link ActionUnfinishedException}, and
 * the action goes on; it gets one also if the action was paused, cancelled, or has failed. A
 * suspended transaction keeps its locks: an action that needs one of them ends after it.
 *
 * <p>An action writes the caller's principal and the reason to {@code postbox_audit}, in the same
 * transaction as the change; the principal is {@code unknown} if no user is logged in. The methods
 * do not check who calls them: put your own security before them.
 */
public interface KeptMessages {

  /**
   * Lists messages, oldest first, in one query whose cost does not grow with the pages before.
   *
   * @throws InboxException if the table cannot be read
   */
  List<KeptMessage> find(KeptFilter filter, Page page);

  /**
   * One message; empty if the row does not exist (any more).
   *
   * @throws InboxException if the table cannot be read
   */
  Optional<KeptMessage> get(long id);

  /**
   * The whole content of a message, decrypted if need be; empty if the row does not exist (any
   * more). The caller's principal is written to {@code postbox_audit} before the content is
   * returned.
   *
   * @throws InboxException if the table cannot be read, or the body cannot be decrypted
   */
  Optional<StoredPayload> payload(long id);

  /**
   * Counts the messages that a redrive or discard would touch, and changes nothing. The plan covers
   * only messages that are kept aside now, not those that are kept aside later; of those that go
   * back to their queue the first 1,000, by the ids of their rows. It is valid once, for an hour,
   * on any node, and only for the calling principal.
   *
   * @throws InboxException if the table cannot be read
   */
  KeptPlan plan(KeptFilter filter);

  /**
   * Hands the plan's messages back to their consumers.
   *
   * <p>For each message one transaction notes that it is handed back, which keeps its row; then a
   * copy of it is sent, as persistent and without expiry. The row goes with the transaction that
   * handles the copy, or is kept aside anew. If none comes for a minute, another copy is sent, and
   * again after 2, 4, 8 minutes and so on, up to a day; of several copies one is handled. A
   * captured message needs no copy: a worker handles it from its row.
   *
   * <p>A message that cannot be sent is kept aside as before, and the others go on: one without a
   * destination because it arrived without JMS, one that cannot be decrypted, or one that the
   * broker refuses. After three refusals by the broker in a row, the action fails: resume it once
   * the broker takes messages again, and it begins with the first of the three.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is for
   *     messages of the other kind; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws ActionUnfinishedException if the action was begun, and is not done after a minute or
   *     has failed
   * @throws InboxException if the database failed; the message says whether the action was begun
   */
  Redriven redrive(KeptPlan plan, String reason);

  /**
   * Hands the plan's messages back, and keeps or drops the {@code JMSReplyTo} that their senders
   * have set. {@link #redrive(KeptPlan, String)} keeps it.
   *
   * @param replies whether to keep it; with {@link ReplyOnRedrive#KEEP}, a message cannot be sent
   *     if the broker does not know its reply-to (any more)
   */
  Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason);

  /**
   * Discards the plan's messages: deletes their content, in transactions of up to 1,000 messages.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many were discarded
   * @throws IllegalArgumentException if there is no reason, it is too long, or the plan is for
   *     messages of the other kind; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws ActionUnfinishedException if the action was begun, and is not done after a minute or
   *     has failed
   * @throws InboxException if the database failed; the message says whether the action was begun
   */
  long discard(KeptPlan plan, String reason);
}
