package io.postbox.it.consumers;

import io.postbox.inbox.MessageIdResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;

/** No text is sent twice in another message. */
@ApplicationScoped
public class TextAsId implements MessageIdResolver {
  @Override
  public String resolve(Message message) {
    try {
      return message.getBody(String.class);
    } catch (JMSException unreadable) {
      throw new JMSRuntimeException(unreadable.getMessage(), unreadable.getErrorCode(), unreadable);
    }
  }
}
