package io.postbox.inbox.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message's headers and properties as JSON. */
final class Properties {
  private static final int LONGEST_BRIEF = 200;

  private Properties() {}

  /** A few headers and properties, for the row of a handled message; long values are left out. */
  static String brief(Message message) throws JMSException {
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    found.put("JMSMessageID", message.getJMSMessageID());
    found.put("JMSCorrelationID", message.getJMSCorrelationID());
    found.put("JMSType", message.getJMSType());
    for (String name : InboundProperties.KEPT) {
      found.put(name, message.getObjectProperty(name));
    }
    if (found.get(InboundProperties.AGGREGATE_VERSION) instanceof Number version) {
      found.put(InboundProperties.AGGREGATE_VERSION, version.toString());
    }
    found
        .values()
        .removeIf(value -> !(value instanceof String text) || text.length() > LONGEST_BRIEF);
    return Json.plain(found);
  }

  /**
   * All headers and properties, the properties with their types.
   *
   * @param isProven whether this service has set the inbox's properties; otherwise they are left
   *     out, because a resend would prove them
   */
  static String all(Message message, boolean isProven) throws JMSException {
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    headers.put("JMSMessageID", message.getJMSMessageID());
    headers.put("JMSCorrelationID", message.getJMSCorrelationID());
    headers.put("JMSType", message.getJMSType());
    headers.put("JMSDestination", Destinations.name(message.getJMSDestination()));
    headers.put("JMSReplyTo", ReplyTo.of(message).name());
    headers.put("JMSTimestamp", message.getJMSTimestamp());
    headers.put("JMSExpiration", message.getJMSExpiration());
    headers.put("JMSPriority", message.getJMSPriority());
    headers.put("JMSDeliveryMode", message.getJMSDeliveryMode());
    headers.values().removeIf(value -> value == null);

    SortedMap<String, @Nullable Object> properties = new TreeMap<>();
    for (String name : Bodies.names(message.getPropertyNames())) {
      properties.put(name, message.getObjectProperty(name));
    }
    if (!isProven) {
      properties.keySet().removeAll(CopyProperties.CONTROL);
    }
    properties.remove(CopyProperties.PROOF);
    return "{\"headers\":%s,\"properties\":%s}"
        .formatted(Json.plain(headers), Json.typed(properties));
  }
}
