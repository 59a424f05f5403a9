package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message's headers and properties as JSON. */
final class Properties {
  private static final int LONGEST_BRIEF = 200;

  /** Those that a row stores beside the id, for readers of the table. */
  private static final List<String> KEPT =
      List.of(
          OutboxProperties.EVENT_TYPE,
          OutboxProperties.AGGREGATE_TYPE,
          OutboxProperties.AGGREGATE_ID,
          OutboxProperties.AGGREGATE_VERSION,
          OutboxProperties.TRACE_PARENT);

  /** What a message's properties may take however small its body may be. */
  private static final int LEAST_LIMIT = 65_536;

  private Properties() {}

  /** A few headers and properties, for the row of a handled message; long values are left out. */
  static String brief(Message message) throws JMSException {
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    found.put("JMSMessageID", message.getJMSMessageID());
    found.put("JMSCorrelationID", message.getJMSCorrelationID());
    found.put("JMSType", message.getJMSType());
    for (String name : KEPT) {
      found.put(name, message.getObjectProperty(name));
    }
    if (found.get(OutboxProperties.AGGREGATE_VERSION) instanceof Number version) {
      found.put(OutboxProperties.AGGREGATE_VERSION, version.toString());
    }
    found
        .values()
        .removeIf(value -> !(value instanceof String text) || text.length() > LONGEST_BRIEF);
    return Json.plain(found);
  }

  /** The most characters that the properties take as they are kept. */
  static long size(Message message) throws JMSException {
    long size = 0;
    for (Map.Entry<String, @Nullable String> each : senders(message).entrySet()) {
      size += lengthOf(each.getKey(), each.getValue());
    }
    for (String name : Bodies.names(message.getPropertyNames())) {
      size += lengthOf(name, message.getObjectProperty(name));
    }
    return size;
  }

  /** The headers whose length is the sender's choice. */
  private static Map<String, @Nullable String> senders(Message message) throws JMSException {
    Map<String, @Nullable String> headers = new LinkedHashMap<>();
    headers.put("JMSCorrelationID", message.getJMSCorrelationID());
    headers.put("JMSType", message.getJMSType());
    return headers;
  }

  private static long lengthOf(String name, @Nullable Object value) {
    return Json.lengthOf(name, "") + Json.lengthOf(value);
  }

  /** How many characters properties may take, beside a body that may have so many bytes. */
  static long limit(long maxBody) {
    return Math.max(maxBody, LEAST_LIMIT);
  }

  /** All headers and properties, the properties with their types. */
  static String all(Message message, boolean isProven) throws JMSException {
    return all(message, isProven, Long.MAX_VALUE);
  }

  /**
   * Headers and properties, the properties with their types.
   *
   * @param isProven whether this service has set the inbox's properties; otherwise they are left
   *     out, because a resend would prove them
   * @param limit how many characters they may take; those that take more are left out
   */
  static String all(Message message, boolean isProven, long limit) throws JMSException {
    long left = limit;
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    headers.put("JMSMessageID", message.getJMSMessageID());
    for (Map.Entry<String, @Nullable String> each : senders(message).entrySet()) {
      long length = lengthOf(each.getKey(), each.getValue());
      if (length <= left) {
        headers.put(each.getKey(), each.getValue());
        left -= length;
      }
    }
    headers.put("JMSDestination", Destinations.name(message.getJMSDestination()));
    headers.put("JMSReplyTo", ReplyTo.of(message).name());
    headers.put("JMSTimestamp", message.getJMSTimestamp());
    headers.put("JMSExpiration", message.getJMSExpiration());
    headers.put("JMSPriority", message.getJMSPriority());
    headers.put("JMSDeliveryMode", message.getJMSDeliveryMode());
    headers.values().removeIf(value -> value == null);

    SortedMap<String, @Nullable Object> properties = new TreeMap<>();
    for (String name : Bodies.names(message.getPropertyNames())) {
      Object value = message.getObjectProperty(name);
      long length = lengthOf(name, value);
      if (length <= left) {
        properties.put(name, value);
        left -= length;
      }
    }
    if (!isProven) {
      properties.keySet().removeAll(CopyProperties.CONTROL);
    }
    properties.remove(CopyProperties.PROOF);
    return "{\"headers\":%s,\"properties\":%s}"
        .formatted(Json.plain(headers), Json.typed(properties));
  }
}
