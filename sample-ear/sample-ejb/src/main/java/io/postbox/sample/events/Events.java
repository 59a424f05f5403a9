package io.postbox.sample.events;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbException;

/** Reads events from JMS messages. */
public final class Events {
  private static final Jsonb JSON = JsonbBuilder.create();

  private Events() {}

  /**
   * The type of the event that a message carries, for instance {@code OrderShipped}. The outbox
   * sets it as {@code JMSType}.
   *
   * @throws UnreadableEventException if the message has none
   */
  public static String typeOf(Message message) {
    try {
      String type = message.getJMSType();
      if (type == null) {
        throw new UnreadableEventException("it has no JMSType", message, null);
      }
      return type;
    } catch (JMSException e) {
      throw new UnreadableEventException("its JMSType cannot be read", message, e);
    }
  }

  /**
   * Reads the JSON in a text message.
   *
   * @throws UnreadableEventException if there is no text, or it is not such an event
   */
  public static <T> T read(Message message, Class<T> type) {
    String wanted = type.getSimpleName();
    try {
      String text = message.getBody(String.class);
      if (text == null) {
        throw new UnreadableEventException("it has no body", message, null);
      }
      return JSON.fromJson(text, type);
    } catch (JMSException | JsonbException e) {
      throw new UnreadableEventException("its body is not a " + wanted + " in JSON", message, e);
    }
  }
}
