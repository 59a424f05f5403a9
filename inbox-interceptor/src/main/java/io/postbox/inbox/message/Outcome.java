package io.postbox.inbox.message;

/** Why an id is recorded. The names are stored, up to 10 characters. */
public enum Outcome {
  /** The handler has handled the message. */
  PROCESSED,
  /** The message is stored, and its handler has not run yet. */
  CAPTURED,
  /** A later version of the aggregate was handled before. */
  STALE,
  /** An operator discarded the message. */
  DISCARDED
}
