package io.postbox.inbox.receiver;

/** Wakes the workers that handle captured messages. Thread-safe; does not block. */
public interface CaptureWakeUp {

  /** A captured message of a consumer has been committed. */
  void captured(String consumer);
}
