package io.postbox.it.consumers;

import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Knows nothing of the inbox, and hands each message to two beans that do. */
@MessageDriven
public class FrontMdb implements MessageListener {
  @Inject Cashier cashier;
  @Inject Clerk clerk;
  @Inject Effects effects;

  @Override
  public void onMessage(Message message) {
    effects.noteDelivery(message);
    cashier.take(message);
    clerk.file(message);
  }
}
