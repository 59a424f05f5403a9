package io.postbox.inbox.store;

/** Why a stored message waits. The names are those in the table. */
public enum StoredStatus {
  /** It may be handled by a worker, or is being handled. */
  PENDING,
  /** It may be handled later. */
  DELAYED,
  /** It is behind another message with its ordering key. */
  HELD,
  /** It has its turn: its copy is in its queue, or will be. */
  HANDED_BACK,
  /** It waits for the versions before it. */
  EARLY,
  /** Its handler could not handle it, and a person decides. */
  PARKED,
  /** It has no usable id, or that of other content, and a person decides. */
  QUARANTINED,
  /** It is handled, and its row is kept. */
  PROCESSED;

  /** A condition for those that are kept aside; the indexes of these rows have it too. */
  static final String KEPT = "m.status IN ('EARLY', 'PARKED', 'QUARANTINED')";

  /** A condition for the others. */
  static final String NOT_KEPT = "m.status NOT IN ('EARLY', 'PARKED', 'QUARANTINED')";

  /** A condition for those that go back to their queue; an index of PostgreSQL has it too. */
  static final String GOES_BACK =
      "(status = 'HANDED_BACK' OR (status = 'DELAYED' AND NOT captured))";

  /** A condition for those that wait for the versions before them. */
  static final String WAITING =
      "reason IN ('EARLY', 'VERSION_MISSING') AND status IN ('EARLY', 'PARKED')";

  /** Whether a person sees it as kept aside: those of {@link #KEPT}. */
  boolean isKept() {
    return this == EARLY || this == PARKED || this == QUARANTINED;
  }
}
