package io.postbox.inbox.metrics;

/** The outcome of a request for an idempotent method. */
public enum RequestOutcome {
  /** Its transaction committed, with its response. */
  FIRST,
  /** It got the stored response. */
  REPEATED,
  /** Another request with its key still ran. */
  CONFLICT,
  /** Its key belongs to another request. */
  MISMATCH,
  /** It had no key, and needed one. */
  MISSING,
  /** Its key was malformed. */
  MALFORMED,
  /** It had a key and no caller to whom the key could belong. */
  ANONYMOUS,
  /** It ran and was rolled back: by its response, an exception or a failed commit. */
  UNDONE,
  /** The database or its connection pool did not serve the inbox. */
  UNAVAILABLE
}
