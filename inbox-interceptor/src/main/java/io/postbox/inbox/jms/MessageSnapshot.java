package io.postbox.inbox.jms;

import io.postbox.inbox.log.WatchLog;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restores the headers and properties that change when a received message is sent, because another
 * consumer of the same delivery may receive the same object: it needs the redelivered flag and the
 * inbox's properties to look up its failures, and may identify the message by its JMSMessageID.
 *
 * <p>The sent message does not change: JMS lets a client modify a message after sending it.
 */
final class MessageSnapshot {
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  /** Restores one header or property. */
  @FunctionalInterface
  private interface Setting {
    void set() throws JMSException;
  }

  /** Reads a message's headers and properties. */
  MessageSnapshot(Message message) throws JMSException {
    Map<String, @Nullable Object> properties = new LinkedHashMap<>();
    for (String name : Bodies.names(message.getPropertyNames())) {
      properties.put(name, message.getObjectProperty(name));
    }
    settings.put("all properties", message::clearProperties);
    properties.forEach(
        (name, value) -> settings.put(name, () -> message.setObjectProperty(name, value)));

    boolean redelivered = message.getJMSRedelivered();
    settings.put("JMSRedelivered", () -> message.setJMSRedelivered(redelivered));
    String id = message.getJMSMessageID();
    settings.put("JMSMessageID", () -> message.setJMSMessageID(id));
    Destination destination = message.getJMSDestination();
    settings.put("JMSDestination", () -> message.setJMSDestination(destination));
    int deliveryMode = message.getJMSDeliveryMode();
    settings.put("JMSDeliveryMode", () -> message.setJMSDeliveryMode(deliveryMode));
    int priority = message.getJMSPriority();
    settings.put("JMSPriority", () -> message.setJMSPriority(priority));
    long expiration = message.getJMSExpiration();
    settings.put("JMSExpiration", () -> message.setJMSExpiration(expiration));
    long timestamp = message.getJMSTimestamp();
    settings.put("JMSTimestamp", () -> message.setJMSTimestamp(timestamp));
    long deliveryTime = message.getJMSDeliveryTime();
    settings.put("JMSDeliveryTime", () -> message.setJMSDeliveryTime(deliveryTime));
  }

  /**
   * Restores as many as the provider allows. A refusal is logged and does not fail the delivery:
   * the copy is correct, and a rollback would only have the message redelivered at once with the
   * same result. A refused property of the provider's own is not logged, because clients cannot set
   * it and the inbox does not read it.
   *
   * @param consumer the name of the message's consumer
   */
  void restore(String consumer) {
    Map<String, Exception> refused = new LinkedHashMap<>();
    settings.forEach(
        (name, setting) -> {
          try {
            setting.set();
          } catch (JMSException | RuntimeException refusal) {
            if (CopiedProperties.belongsToTheMessage(name)) {
              refused.put(name, refusal);
            }
          }
        });
    if (!refused.isEmpty()) {
      WatchLog.notRestored(consumer, refused.keySet(), refused.values().iterator().next());
    }
  }
}
