package io.postbox.inbox.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads bodies from start to end, and resets them to the start for the handler. */
final class Bodies {
  private static final int PART = 8_192;

  private Bodies() {}

  /** Receives a part of an array: {@code length} bytes from {@code offset} on. */
  interface Sink {
    void take(byte[] bytes, int offset, int length);
  }

  static void forEachPart(BytesMessage message, Sink sink) throws JMSException {
    message.reset();
    byte[] part = new byte[PART];
    for (int read = message.readBytes(part); read > 0; read = message.readBytes(part)) {
      sink.take(part, 0, read);
    }
    message.reset();
  }

  /** Resets a body that may have been read to its start. */
  static void rewind(Message message) throws JMSException {
    if (message instanceof BytesMessage bytes) {
      bytes.reset();
    } else if (message instanceof StreamMessage stream) {
      stream.reset();
    }
  }

  static SortedMap<String, @Nullable Object> entries(MapMessage message) throws JMSException {
    SortedMap<String, @Nullable Object> entries = new TreeMap<>();
    for (String name : names(message.getMapNames())) {
      entries.put(name, message.getObject(name));
    }
    return entries;
  }

  /** The names from an untyped enumeration of JMS. */
  static List<String> names(Enumeration<?> names) {
    return Collections.list(names).stream().map(String.class::cast).toList();
  }

  static List<@Nullable Object> values(StreamMessage message) throws JMSException {
    message.reset();
    List<@Nullable Object> values = new ArrayList<>();
    boolean more = true;
    while (more) {
      try {
        values.add(message.readObject());
      } catch (MessageEOFException end) {
        more = false; // the only way in which a stream says that it is over
      }
    }
    message.reset();
    return values;
  }
}
