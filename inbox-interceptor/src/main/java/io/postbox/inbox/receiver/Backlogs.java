package io.postbox.inbox.receiver;

/** The captured messages that wait. Thread-safe; no method blocks. */
public interface Backlogs {

  /** Whether a consumer may capture another message. */
  boolean hasRoom(String consumer);

  /** A captured message has been committed. */
  void captured(String consumer, long bytes);
}
