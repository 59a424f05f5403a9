package io.postbox.inbox.jms;

import io.postbox.inbox.message.Body.TooLarge;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures bodies before they are processed. JMS returns the length of bytes without reading them.
 * A text is measured in UTF-8 after the provider has decoded it; maps and streams are measured
 * value by value, up to the limit, as they are kept: each value takes room beside its octets then,
 * and a character up to six times as much. The size of an object is unknown.
 */
final class BodySizes {
  /** The most bytes of UTF-8 for one UTF-16 unit. */
  private static final int MOST_OF_A_CHARACTER = 3;

  private BodySizes() {}

  /** Whether a body, or what lies beside it, is larger than the limit; resets it to its start. */
  static Optional<TooLarge> over(long limit, Message message) throws JMSException {
    long size = 0;
    if (message instanceof BytesMessage bytes) {
      size = bytes.getBodyLength();
    } else if (message instanceof TextMessage text) {
      size = sizeOf(text.getText(), limit);
    } else if (message instanceof MapMessage map) {
      size = sizeOf(map, limit);
    } else if (message instanceof StreamMessage stream) {
      size = sizeOf(stream, limit);
    }
    if (size > limit) {
      return Optional.of(new TooLarge(size, limit));
    }
    long beside = Properties.size(message);
    long most = Properties.limit(limit);
    return beside > most ? Optional.of(new TooLarge(beside, most)) : Optional.empty();
  }

  private static long sizeOf(MapMessage map, long limit) throws JMSException {
    long size = 0;
    for (String name : Bodies.names(map.getMapNames())) {
      if (size <= limit) {
        size += Json.lengthOf(name, "") + Json.lengthOf(map.getObject(name));
      }
    }
    return size;
  }

  private static long sizeOf(StreamMessage stream, long limit) throws JMSException {
    stream.reset();
    long size = 0;
    try {
      while (size <= limit) {
        size += Json.lengthOf(stream.readObject());
      }
    } catch (MessageEOFException end) {
      stream.reset(); // the only way in which a stream says that it is over
      return size;
    }
    stream.reset();
    return size;
  }

  private static long sizeOf(@Nullable String text, long limit) {
    if (text == null) {
      return 0;
    }
    return (long) text.length() * MOST_OF_A_CHARACTER <= limit ? text.length() : utf8(text);
  }

  /** Half a surrogate pair takes three bytes, and a whole pair takes four. */
  private static long utf8(String text) {
    long size = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        size++;
      } else if (c < 0x800 || Character.isSurrogate(c)) {
        size += 2;
      } else {
        size += 3;
      }
    }
    return size;
  }
}
