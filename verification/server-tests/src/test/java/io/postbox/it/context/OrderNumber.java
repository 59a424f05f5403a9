package io.postbox.it.context;

import io.postbox.inbox.MessageIdResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** Reads the number after {@code order=} in the text; fails where there is none. */
@ApplicationScoped
public class OrderNumber implements MessageIdResolver {
  @Override
  public String resolve(Message message) throws JMSException {
    String text = message.getBody(String.class);
    int at = text.indexOf("order=");
    return at < 0 ? null : "order " + Integer.parseInt(text.substring(at + "order=".length()));
  }
}
