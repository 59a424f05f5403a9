package io.postbox.common;

import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operator's action that runs in the background, with its progress. Immutable and thread-safe.
 *
 * @param id of the action: that of its plan, and of its row in {@code postbox_audit}
 * @param kind its name in {@code postbox_audit}, for instance {@code redrive}
 * @param state where it stands
 * @param principal the user who started it
 * @param reason why, in the words of whoever started it
 * @param subject to what, readable
 * @param total how many messages the plan counted, or were changed if those are more: a plan may
 *     not have counted all
 * @param done how many messages were changed; fewer than the total if some were gone, or were not
 *     what the plan was for any more
 * @param failures how many messages failed in spite of the action; each kind of action says what
 *     that is
 * @param note why it stopped by itself, or {@code null}. Holds no payload
 * @param startedAt when it was started, by the database's clock
 * @param changedAt when it last made progress or changed its state, by the database's clock
 */
public record OperatorAction(
    UUID id,
    String kind,
    State state,
    String principal,
    String reason,
    String subject,
    long total,
    long done,
    long failures,
    @Nullable String note,
    Instant startedAt,
    Instant changedAt)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Where an action stands. */
  public enum State {
    /** It goes on, or waits for its turn: one runs at a time. */
    RUNNING,
    /** An operator paused it, or it stopped because messages failed; it can be resumed. */
    PAUSED,
    /** All messages are done. */
    DONE,
    /** An operator cancelled it; the messages that are done stay done. */
    CANCELLED,
    /** It cannot go on; the note says why. It can be resumed. */
    FAILED;

    /** Whether it is over; only a failed one can still be resumed. */
    public boolean isFinished() {
      return this == DONE || this == CANCELLED || this == FAILED;
    }

    /** Whether an operator can resume it. */
    public boolean isResumable() {
      return this == PAUSED || this == FAILED;
    }
  }
}
