package io.postbox.inbox.message;

/** How the inbox came to be done with a message. The names are stored, up to 10 characters. */
public enum Outcome {
  /** Its handler has handled it. */
  PROCESSED,
  /** A later version of its aggregate was handled before. */
  STALE,
  /** A person gave it up. */
  DISCARDED
}
