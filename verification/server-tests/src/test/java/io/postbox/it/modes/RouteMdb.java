package io.postbox.it.modes;

import jakarta.annotation.Resource;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Answers in the transaction of the delivery. */
@MessageDriven
public class RouteMdb implements MessageListener {
  @Resource MessageDrivenContext context;

  @Override
  public void onMessage(Message message) {
    if (Answering.handle(message, Runnable::run)) {
      context.setRollbackOnly();
    }
  }
}
