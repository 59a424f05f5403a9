package io.postbox.common;

import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/**
 * Names a plan that the outbox or the inbox has on record. What is carried out is what the record
 * has, on any node, whatever a plan's other parts say by then; a plan that is not on record is
 * refused with a {@link PlanRefusedException}. Immutable and thread-safe.
 *
 * @param id of the plan; also of its action, and of the row in {@code postbox_audit} that records
 *     its execution
 * @param madeBy the principal that asked for the plan; only this principal may carry it out. {@code
 *     unknown} is any caller who is not logged in
 * @param expiresAt when it expires: an hour after it was made, by the database's clock
 */
public record PlanToken(UUID id, String madeBy, Instant expiresAt) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The token of a plan that was only counted, and is not on record. */
  public static final PlanToken NONE = new PlanToken(new UUID(0, 0), "", Instant.EPOCH);
}
