package io.postbox.it.consumers;

import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** In no transaction, so that a message is acknowledged when this returns, whatever was kept. */
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class LoneMdb implements MessageListener {
  @Inject QuietSession session;
  @Inject Quiet bean;
  @Inject Effects effects;

  @Override
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public void onMessage(Message message) {
    effects.noteDelivery(message);
    try {
      String text = message.getBody(String.class);
      hand(Way.valueOf(text.substring(text.indexOf(' ') + 1)), message);
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private void hand(Way way, Message message) throws JMSException {
    switch (way) {
      case SESSION_BEAN -> session.file(message);
      case NEW_OF_SESSION_BEAN -> session.fileAnew(message);
      case REQUIRED -> bean.required(message);
      case REQUIRES_NEW -> bean.requiresNew(message);
      case NOT_SUPPORTED -> bean.notSupported(message);
      case NEVER -> bean.never(message);
      case SUPPORTS -> bean.supports(message);
      case MARKED_LATE -> bean.markedLate(message);
      case GUARD -> session.bring(message.getStringProperty("OutboxMessageId"), message);
    }
  }
}
