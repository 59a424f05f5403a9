package io.postbox.common;

import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/**
 * Proves that the outbox or the inbox made a plan, for whom, and until when it is valid. A plan
 * whose token does not match is refused with a {@link PlanRefusedException}. Immutable and
 * thread-safe.
 *
 * @param id of the plan; also of the row in {@code postbox_audit} that records its execution
 * @param madeBy the principal that asked for the plan; only this principal may carry it out. {@code
 *     unknown} is any caller who is not logged in
 * @param expiresAt when it expires: an hour after it was made, by the nodes' clocks
 * @param mac the proof, over all parts of the plan that select messages
 */
public record PlanToken(UUID id, String madeBy, Instant expiresAt, String mac)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The token of a plan that was only counted; it proves nothing. */
  public static final PlanToken NONE = new PlanToken(new UUID(0, 0), "", Instant.EPOCH, "");

  /** Without the proof, which must not be logged. */
  @Override
  public String toString() {
    return "plan %s of %s, valid until %s".formatted(id, madeBy, expiresAt);
  }
}
