package io.postbox.browser.deployed;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Fails as long as the test says so. */
@Inbox("payments")
@MessageDriven
public class PaymentsMdb implements MessageListener {
  @Inject Desk desk;

  @Override
  public void onMessage(Message message) {
    desk.handle("payments", message);
  }
}
