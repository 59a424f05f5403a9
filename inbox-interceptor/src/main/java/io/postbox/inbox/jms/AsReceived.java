package io.postbox.inbox.jms;

import io.postbox.inbox.log.WatchLog;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What sending a received message changes of it, to be put back, because another consumer of the
 * same delivery may be handed the same object: by the redelivered flag and the inbox's properties
 * it looks up its failures and counts, and by the JMSMessageID it may know the message.
 *
 * <p>What was sent stays as it was sent: JMS lets a client change a message after sending it.
 */
final class AsReceived {
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  /** Puts one thing back. */
  @FunctionalInterface
  private interface Setting {
    void set() throws JMSException;
  }

  /** Takes note of how a message is. */
  AsReceived(Message message) throws JMSException {
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
   * Puts back what it can. What the provider refuses is told, and no reason to fail: the copy is
   * right, and rolled back it would be redelivered at once, to the same end. Of the properties that
   * are the provider's own a refusal is not even told: they are not a client's to set, it answers
   * for most of them from elsewhere, and the inbox asks for none.
   *
   * @param consumer for whom the message was sent
   */
  void putBack(String consumer) {
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
      WatchLog.notPutBack(consumer, refused.keySet(), refused.values().iterator().next());
    }
  }
}
