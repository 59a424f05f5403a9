package io.postbox.it.engine;

import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;

/** Takes texts as they are, and of other messages the kind. */
public final class Bodies {
  private Bodies() {}

  static void handle(Engine engine, Message message) {
    String text = text(message);
    try {
      engine.handle(text);
    } catch (EJBException failed) {
      if (!text.startsWith("swallow ")) {
        throw failed;
      }
      // a handler that goes on as if nothing had happened: its transaction cannot commit any more
    }
  }

  private static String text(Message message) {
    try {
      return message instanceof TextMessage text
          ? text.getText().substring(0, Math.min(100, text.getText().length()))
          : "a " + kind(message);
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private static String kind(Message message) throws JMSException {
    return message.getStringProperty("kind");
  }
}
