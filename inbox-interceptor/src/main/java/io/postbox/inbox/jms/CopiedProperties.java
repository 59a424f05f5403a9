package io.postbox.inbox.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a received message that belong to the message itself, and not to its provider
 * or to this one delivery. A copy must have them too, with their types.
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
   * Whether JMS lets a client set these properties. Messages from other protocols have some that
   * JMS can read but not write, such as {@code content-type}.
   */
  static boolean canBeSet(Map<String, @Nullable Object> properties) {
    return properties.entrySet().stream()
        .allMatch(property -> isIdentifier(property.getKey()) && hasType(property.getValue()));
  }

  /**
   * Whether a property belongs to the message. Names that begin with JMSX are the standard's, and
   * those with JMS_ the providers': identities of the received message, counters, times. Those of
   * Artemis begin with _AMQ; one of them, _AMQ_DUPL_ID, would make the broker drop the copy as a
   * duplicate.
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
