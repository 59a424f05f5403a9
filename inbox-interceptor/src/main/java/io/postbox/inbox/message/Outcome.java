package io.postbox.inbox.message;

/** Why an id is recorded. The names are stored, up to 10 characters. */
public enum Outcome {
  /** Its handler has handled it. */
  PROCESSED,
  /** A later version of its aggregate was handled before. */
  STALE,
  /** An operator discarded it. */
  DISCARDED
}
