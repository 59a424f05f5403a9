package io.postbox.it.refused;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxHandler;
import io.postbox.inbox.InboxMode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.Message;

/** Two handlers, none, and one that would never be called. */
@ApplicationScoped
public class UnfitHandlers {
  /** Captures for two. */
  @Inbox(value = "unfit-two", mode = InboxMode.CAPTURE)
  public void two(Message message) {}

  /** The first of them. */
  @InboxHandler("unfit-two")
  public void first(CapturedMessage message) {}

  /** The second. */
  @InboxHandler("unfit-two")
  public void second(CapturedMessage message) {}

  /** Captures for nobody. */
  @Inbox(value = "unfit-none", mode = InboxMode.CAPTURE)
  public void none(Message message) {}

  /** Handles at once, and so captures nothing. */
  @Inbox("unfit-handled")
  public void handled(Message message) {}

  /** Waits for what is captured. */
  @InboxHandler("unfit-handled")
  public void late(CapturedMessage message) {}
}
