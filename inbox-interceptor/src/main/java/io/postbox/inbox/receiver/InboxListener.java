package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the outcome of deliveries. Called from any thread; neither blocks nor throws. */
public interface InboxListener {

  /** Something became of a delivery, for certain. */
  void happened(MessageEvent event);

  /**
   * A handler has returned or thrown; its transaction goes on.
   *
   * @param took how long it was at it
   * @param age how long ago the message was enqueued, where it says when and the handler has
   *     returned; never negative
   */
  default void handlerEnded(String consumer, Duration took, @Nullable Duration age) {}
}
