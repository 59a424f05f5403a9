package io.postbox.inbox.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a received message that belong to the message, and not to its provider or to
 * this one delivery: those that a copy must have too, with their types.
 */
final class CopiedProperties {
  private static final Set<String> GROUP = Set.of("JMSXGroupID", "JMSXGroupSeq");

  /** The properties that Artemis sets on a message received over AMQP, about its content. */
  private static final String OF_AMQP = "JMS_AMQP_";

  private CopiedProperties() {}

  static Map<String, @Nullable Object> of(Message message) throws JMSException {
    Map<String, @Nullable Object> copied = new LinkedHashMap<>();
    for (String name : Bodies.names(message.getPropertyNames())) {
      if (belongsToTheMessage(name)) {
        copied.put(name, message.getObjectProperty(name));
      }
    }
    return copied;
  }

  /**
   * Whether a client may set them. Over other protocols than JMS comes what JMS can read and not
   * write, for instance {@code content-type}.
   */
  static boolean canBeSet(Map<String, @Nullable Object> properties) {
    return properties.entrySet().stream()
        .allMatch(property -> isIdentifier(property.getKey()) && hasType(property.getValue()));
  }

  /**
   * Names beginning with JMSX are the standard's and those with JMS_ the providers': identities of
   * the received message, counters, times. Those of Artemis begin otherwise; among them is
   * _AMQ_DUPL_ID, with which the broker would take the copy for a duplicate and drop it.
   */
  static boolean belongsToTheMessage(String name) {
    return GROUP.contains(name)
        || name.startsWith(OF_AMQP)
        || !(name.startsWith("JMSX") || name.startsWith("JMS_") || name.startsWith("_AMQ_"));
  }

  static boolean isIdentifier(String name) {
    return !name.isEmpty()
        && Character.isJavaIdentifierStart(name.charAt(0))
        && name.chars().allMatch(Character::isJavaIdentifierPart);
  }

  private static boolean hasType(@Nullable Object value) {
    return value == null
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Float
        || value instanceof Double;
  }
}
