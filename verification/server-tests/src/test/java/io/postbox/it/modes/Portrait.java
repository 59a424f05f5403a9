package io.postbox.it.modes;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** All that a receiver can see of a message, a line each. */
final class Portrait {
  private Portrait() {}

  static String of(Message message) throws JMSException {
    Map<String, Object> lines = new TreeMap<>();
    lines.put("id", String.valueOf(message.getJMSMessageID()));
    lines.put("correlation", String.valueOf(message.getJMSCorrelationID()));
    lines.put("type", String.valueOf(message.getJMSType()));
    lines.put("replyTo", String.valueOf(message.getJMSReplyTo()));
    lines.put("mode", message.getJMSDeliveryMode());
    lines.put("priority", message.getJMSPriority());
    lines.put("redelivered", message.getJMSRedelivered());
    lines.put("expires", message.getJMSExpiration());
    lines.put("arrived", System.currentTimeMillis());
    for (Object name : Collections.list(message.getPropertyNames())) {
      Object value = message.getObjectProperty((String) name);
      lines.put(
          "property " + name,
          value == null ? "null" : value.getClass().getSimpleName() + " " + value);
    }
    lines.put("body", body(message));
    StringBuilder text = new StringBuilder();
    lines.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  private static String body(Message message) throws JMSException {
    if (message instanceof TextMessage text) {
      return "text " + (text.getText() == null ? "null" : digest(text.getText().getBytes()));
    }
    if (message instanceof BytesMessage bytes) {
      byte[] all = new byte[(int) bytes.getBodyLength()];
      bytes.reset();
      bytes.readBytes(all);
      bytes.reset();
      return "bytes " + all.length + " " + digest(all);
    }
    if (message instanceof MapMessage map) {
      Map<String, String> entries = new TreeMap<>();
      for (Object name : Collections.list(map.getMapNames())) {
        entries.put((String) name, value(map.getObject((String) name)));
      }
      return "map " + entries;
    }
    if (message instanceof StreamMessage stream) {
      StringBuilder values = new StringBuilder("stream");
      stream.reset();
      try {
        while (true) {
          values.append(' ').append(value(stream.readObject()));
        }
      } catch (MessageEOFException end) {
        stream.reset();
        return values.toString();
      }
    }
    return message instanceof ObjectMessage object ? Unknown.read(object) : "none";
  }

  private static String value(Object value) {
    return value instanceof byte[] bytes
        ? "bytes:" + HexFormat.of().formatHex(bytes)
        : value == null ? "null" : value.getClass().getSimpleName() + ":" + value;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
