package io.postbox.inbox.guard;

import io.postbox.inbox.MessageEvent;

/** Told what became of deliveries. Called from any thread; neither blocks nor throws. */
public interface InboxListener {

  /** Something became of a delivery, for certain. */
  void happened(MessageEvent event);
}
