package io.postbox.inbox.interceptor;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.guard.InboxListener;
import io.postbox.inbox.log.InboxLog;
import java.util.List;

/**
 * Passes on to all; there may be none of the server's. One that fails hurts neither the others nor
 * the delivery.
 */
record AllListeners(List<InboxListener> all) implements InboxListener {
  @Override
  public void happened(MessageEvent event) {
    for (InboxListener listener : all) {
      try {
        listener.happened(event);
      } catch (RuntimeException | Error failed) { // what comes after must not be left out for it
        InboxLog.listenerFailed(event, failed);
      }
    }
  }
}
