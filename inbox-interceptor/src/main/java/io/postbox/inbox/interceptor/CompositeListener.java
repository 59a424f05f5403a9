package io.postbox.inbox.interceptor;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes events on to all listeners; a server without metrics has none. A failing listener affects
 * neither the others nor the delivery.
 */
record CompositeListener(List<InboxListener> all) implements InboxListener {
  @Override
  public void happened(MessageEvent event) {
    tell(listener -> listener.happened(event), event.consumer(), event.getClass().getSimpleName());
  }

  @Override
  public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
    tell(listener -> listener.handlerEnded(consumer, took, age), consumer, "the handler's time");
  }

  private void tell(Consumer<InboxListener> about, String consumer, String event) {
    for (InboxListener listener : all) {
      try {
        about.accept(listener);
      } catch (RuntimeException | Error failed) { // the other listeners must be called all the same
        InboxLog.listenerFailed(consumer, event, failed);
      }
    }
  }
}
