package io.postbox.browser.deployed;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles each message at once. */
@Inbox("orders")
@MessageDriven
public class OrdersMdb implements MessageListener {
  @Inject Desk desk;

  @Override
  public void onMessage(Message message) {
    desk.handle("orders", message);
  }
}
