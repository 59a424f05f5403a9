package io.postbox.common;

import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/**
 * Shows that the outbox or the inbox made a plan: for whom, and until when it is good. A plan whose
 * token does not fit is refused with a {@link PlanRefusedException}, whoever constructed it.
 * Immutable and thread-safe.
 *
 * @param id of the plan; also of the row in {@code postbox_audit} that says that it was carried out
 * @param madeBy who asked for the plan, and alone may have it carried out; {@code unknown} is
 *     everybody who is not logged in
 * @param expiresAt until when, an hour from when it was made, by the clocks of the nodes
 * @param mac the proof, over all of the plan that says what is touched
 */
public record PlanToken(UUID id, String madeBy, Instant expiresAt, String mac)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Of a plan that was counted and not shown to anybody yet; it proves nothing. */
  public static final PlanToken NONE = new PlanToken(new UUID(0, 0), "", Instant.EPOCH, "");

  /** Without the proof, which belongs into no log. */
  @Override
  public String toString() {
    return "plan %s of %s, good until %s".formatted(id, madeBy, expiresAt);
  }
}
