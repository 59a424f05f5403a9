package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the outcome of deliveries. Called from any thread; neither blocks nor throws. */
public interface InboxListener {

  /** The outcome of a delivery is certain. */
  void happened(MessageEvent event);

  /**
   * A handler has returned or thrown; its transaction has not ended yet.
   *
   * @param took how long the handler ran
   * @param age how long ago the message was enqueued, if it has that time and the handler has
   *     returned; never negative
   */
  default void handlerEnded(String consumer, Duration took, @Nullable Duration age) {}
}
