package io.postbox.outbox;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.StoredPayload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An operator's actions on the messages that used up their attempts. Injectable, thread-safe.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. A redrive or
 * discard starts an action of {@link OutboxActions}, and waits for its end for up to a minute. The
 * action takes its turn behind those that run, on this node or another one, and its id is that of
 * the plan. What it has done stays done if the caller rolls back. If it has not ended in time, or
 * if the waiting thread is interrupted, the caller gets an {@link ActionUnfinishedException}, and
 * the action goes on; it gets one also if the action was paused, cancelled, or has failed. A
 * suspended transaction keeps its locks: an action that needs one of them ends after it.
 *
 * <p>An action writes the caller's principal and the reason to {@code postbox_audit}, in the same
 * transaction as the change; the principal is {@code unknown} if no user is logged in. The methods
 * do not check who calls them: put your own security before them.
 *
 * <pre>{@code
 * DeadLetterPlan plan =
 *     letters.plan(DeadLetterFilter.all().destination("shipping").errorContains("AMQ229032"));
 * if (plan.letters() < 10_000) {
 *   letters.redrive(plan.atRate(100), "the permission was missing, see OPS-17");
 * }
 * }</pre>
 */
public interface DeadLetters {

  /**
   * Lists dead letters in the order in which they were enqueued, in one query whose cost does not
   * grow with the pages before.
   *
   * @param filter selects the letters
   * @param page where to continue, and how many to return
   * @throws OutboxException if the tables cannot be read
   */
  List<DeadLetter> find(DeadLetterFilter filter, Page page);

  /**
   * One dead letter; empty if there is no message with this id, or if it is no dead letter (any
   * more).
   *
   * @throws OutboxException if the tables cannot be read
   */
  Optional<DeadLetter> get(UUID id);

  /**
   * Counts the letters that a redrive or discard would touch, and changes nothing. The plan covers
   * only letters that are dead now, not those that die later or again. It is valid once, for an
   * hour, on any node, and only for the calling principal.
   *
   * @throws OutboxException if the tables cannot be read
   */
  DeadLetterPlan plan(DeadLetterFilter filter);

  /**
   * Makes the plan's letters pending again, with a full budget of attempts. It returns when they
   * are marked, not when they are sent: they are marked shortly before they become due, at the rate
   * of the plan, so that a minute is enough for 65 seconds' worth of letters. Letters with one
   * ordering key are sent in their order, before the messages that wait behind them; those behind
   * the first of a key follow as soon as it has been sent, whatever the rate.
   *
   * <p>A time limit ({@link OutboxMessage#expiresAfter}) that is over when its letter becomes due
   * is removed for good, because the letter would expire again at once: it is sent without a limit.
   * {@link DeadLetterPlan#expired} is the number of letters past their limit; discard those that
   * are of no use any more. A limit that is not over stays.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many letters were put back to work
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws ActionUnfinishedException if the action was begun, and is not done after a minute
   * @throws OutboxException if the database failed; the message says whether the action was begun
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  long redrive(DeadLetterPlan plan, String reason);

  /**
   * Discards the plan's letters: moves them to {@code outbox_archive} as {@code DISCARDED}, for the
   * configured retention, and releases the messages behind them.
   *
   * @param plan from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many letters were discarded
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws ActionUnfinishedException if the action was begun, and is not done after a minute
   * @throws OutboxException if the database failed; the message says whether the action was begun
   */
  long discard(DeadLetterPlan plan, String reason);

  /**
   * The whole content of one dead letter, decrypted if need be; empty if there is no dead letter
   * with this id (any more). The caller's principal is written to {@code postbox_audit} before the
   * content is returned.
   *
   * @throws OutboxException if the tables cannot be read, or the content cannot be decrypted
   */
  Optional<StoredPayload> payload(UUID id);

  /**
   * Says what an edit would make of one dead letter, with the checks of {@link #edit(UUID,
   * MessageEdit, String)}, and changes nothing; empty if there is no dead letter with this id (any
   * more). It tells fingerprints and sizes, and no content. The plan that it makes can be carried
   * out with {@link #edit(UUID, String, UUID, MessageEdit, String)}.
   *
   * @throws MessageRefusedException if it could not be enqueued like that, or cannot be decrypted
   *     here
   * @throws OutboxException if the tables cannot be read
   */
  Optional<EditPreview<DeadLetter>> preview(UUID id, MessageEdit edit);

  /**
   * Changes the payload or the properties of one dead letter, with the checks of an enqueue. It
   * stays a dead letter at its place, with its ordering key, its attempts and its error, and those
   * behind it stay behind it: {@link #redrive} it then. It gets a new id, because a receiver may
   * know the old one with the old content; both are written to {@code postbox_audit}. Its recorded
   * failures stay under the old id.
   *
   * @param id the letter's
   * @param edit the changes
   * @param reason for the record: 1 to 1,000 characters
   * @return the new id; empty if there is no dead letter with this id (any more)
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws MessageRefusedException if it could not be enqueued like that, or cannot be decrypted
   *     here; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   */
  Optional<UUID> edit(UUID id, MessageEdit edit, String reason);

  /**
   * The same, as it was previewed: once, within an hour, on any node, for the principal of the
   * preview. The plan does not contain the change, which has to be the same.
   *
   * @param plan the id of {@link EditPreview#token}
   * @param key of the preview
   * @param id the letter's
   * @param edit the changes, as they were previewed
   * @param reason for the record: 1 to 1,000 characters
   * @return the new id; empty if there is no dead letter with this id (any more)
   * @throws PlanRefusedException if the plan was not made by {@link #preview} for the caller, this
   *     letter and this edit, is older than an hour, or was carried out already; nothing was
   *     changed
   */
  Optional<UUID> edit(UUID plan, String key, UUID id, MessageEdit edit, String reason);
}
