package io.postbox.common;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Operators' actions that run in the background. Injectable as the outbox's or the inbox's, which
 * also start them; thread-safe.
 *
 * <p>An action works in steps, each in a transaction of its own that also writes the action's
 * progress. So it survives its starter, and every node: another node goes on within seconds after
 * one has died, and no message is counted twice. Actions run one at a time, in the order in which
 * they were started or resumed. At most 100 may be unfinished. Those that are finished are kept for
 * the module's retention.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. The user who
 * starts, pauses, resumes or cancels an action is written to {@code postbox_audit} with the reason,
 * in the same transaction; the principal is {@code unknown} if no user is logged in. The methods do
 * not check who calls them: put your own security before them. Each throws the module's exception
 * if the tables cannot be read or written; nothing was changed then.
 */
public interface OperatorActions {
  /** The most messages that a redrive may be asked to send in a second; it counts as no limit. */
  int HIGHEST_RATE = 1_000_000;

  /** The most messages that a redrive may send ahead of the others, and wait for. */
  int MOST_FIRST = 1_000;

  /**
   * The actions that were started last, newest first.
   *
   * @param size 1 to 1,000
   * @throws IllegalArgumentException if the size is out of bounds
   */
  List<OperatorAction> list(int size);

  /**
   * The next page of {@link #list(int)}; each is one query, whose cost does not grow with the pages
   * before. Empty if the action does not exist (any more).
   *
   * @param after the last action of the page before
   * @param size 1 to 1,000
   * @throws IllegalArgumentException if the size is out of bounds
   */
  List<OperatorAction> list(UUID after, int size);

  /** One action; empty if it does not exist (any more). */
  Optional<OperatorAction> get(UUID id);

  /**
   * Pauses an action after its present step.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was running
   * @throws IllegalArgumentException if there is no reason, or it is too long
   */
  boolean pause(UUID id, String reason);

  /**
   * Resumes an action that is paused or failed, where it stopped and behind those that run.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was paused or failed
   * @throws IllegalArgumentException if there is no reason, or it is too long
   */
  boolean resume(UUID id, String reason);

  /**
   * Cancels an action after its present step, for good. The messages that are done stay done; for
   * the others make another plan.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was running, paused or failed
   * @throws IllegalArgumentException if there is no reason, or it is too long
   */
  boolean cancel(UUID id, String reason);
}
