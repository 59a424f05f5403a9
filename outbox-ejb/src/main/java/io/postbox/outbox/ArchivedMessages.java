package io.postbox.outbox;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import java.util.UUID;

/**
 * An operator's actions on messages that have left the outbox and are still in {@code
 * outbox_archive}: sent ones with {@code postbox.outbox.after-sending=archive}, and discarded ones.
 * Injectable, thread-safe.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. The caller's
 * principal and the reason are written to {@code postbox_audit} in the same transaction as the
 * change; the principal is {@code unknown} if no user is logged in. The methods do not check who
 * calls them: put your own security before them.
 */
public interface ArchivedMessages {

  /**
   * Enqueues a message again under its own id, as the last one of its ordering key. An inbox skips
   * it if it has handled it and still knows that; so does a broker with duplicate detection.
   * Without a time limit and a delay; a referenced payload must still be the same. The archived row
   * stays.
   *
   * @param id the message's; if it is in the archive several times, the last one is taken
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was enqueued; otherwise it is not in the archive (any more)
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws IllegalStateException if a message with this id is in the outbox; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  boolean resend(UUID id, String reason);

  /**
   * Enqueues a message again under a new id, so that every receiver handles it again. It throws
   * what {@link #resend(UUID, String)} does.
   *
   * @param id the message's
   * @param newId the new one; make it once, so that a repeated call is refused
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was enqueued; otherwise it is not in the archive (any more)
   * @throws IllegalArgumentException also if the message is encrypted: its cipher text is bound to
   *     its id
   */
  boolean resendAs(UUID id, UUID newId, String reason);

  /**
   * Plans to enqueue a message again, and changes nothing. The plan is valid once, for an hour, on
   * any node, and only for the calling principal.
   *
   * @param id the message's
   * @param newId its own, or a new one
   * @throws OutboxException if the database failed
   */
  PlanToken plan(UUID id, UUID newId);

  /**
   * Enqueues a message again as it was planned. It throws what {@link #resend(UUID, String)} and
   * {@link #resendAs} do, which leaves the plan valid.
   *
   * @param plan the id of one from {@link #plan}
   * @param id the message's
   * @param newId as it was planned
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller and these
   *     ids, is older than an hour, or was carried out already; nothing was changed
   */
  boolean resend(UUID plan, UUID id, UUID newId, String reason);
}
