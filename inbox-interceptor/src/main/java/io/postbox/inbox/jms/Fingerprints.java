package io.postbox.inbox.jms;

import io.postbox.common.text.Digests;
import io.postbox.inbox.message.Fingerprint;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of version 2: SHA-256 over one letter for the kind of body, followed by the body.
 *
 * <ul>
 *   <li>{@code T}: the text as UTF-8; no text is like an empty one, because some providers turn one
 *       into the other
 *   <li>{@code B}: the bytes
 *   <li>{@code M}: for each name in the order of its UTF-16 units, the name as a value and its
 *       value
 *   <li>{@code S}: each value in order
 *   <li>{@code O}: an object, and nothing more, because reading it would mean deserialising it
 *   <li>{@code N}: no body
 *   <li>{@code U}: a body that was not read; the broker's id of the message follows, so this
 *       fingerprint identifies the message and not its body
 * </ul>
 *
 * <p>The properties are the content of a message whose body is empty. If it has properties of its
 * application, the input is {@code P}, then the letter of its kind, and then for each of these
 * properties, in the order of the UTF-16 units of their names, the name as a value and its value.
 * The properties of the outbox, the inbox, JMS, the provider and tracing are left out, because they
 * change with each resend; so is the one that holds the consumer's id. Version 1 did not have this
 * rule.
 *
 * <p>A value is a letter for its type, followed, big-endian, by what it holds; strings (UTF-8) and
 * bytes are preceded by their length as an {@code int}. An unpaired surrogate, which UTF-8 cannot
 * encode, is written in three bytes like any other character of its number.
 */
final class Fingerprints {
  private static final int VERSION = 2;

  /**
   * The beginnings of these names; tracers write "__dash__" for the dash, which JMS does not allow.
   */
  private static final List<String> NOT_THE_APPLICATIONS =
      List.of(
          "Outbox",
          "Inbox",
          "JMS",
          "_AMQ_",
          "X__dash__B3__dash__",
          "x__dash__datadog__dash__",
          "uber__dash__trace__dash__");

  private static final Set<String> OF_TRACING =
      Set.of("traceparent", "tracestate", "baggage", "b3");

  private Fingerprints() {}

  static Fingerprint of(Message message) throws JMSException {
    return of(message, "");
  }

  /**
   * The fingerprint of a message.
   *
   * @param idProperty the property that holds the consumer's id, which is left out: it is the same
   *     wherever fingerprints are compared, and a message without JMS has no properties
   */
  static Fingerprint of(Message message, String idProperty) throws JMSException {
    if (message instanceof TextMessage text) {
      String body = text.getText();
      return body == null || body.isEmpty() ? ofProperties('T', message, idProperty) : ofText(body);
    }
    if (message instanceof BytesMessage bytes) {
      MessageDigest digest = begin('B');
      boolean[] isEmpty = {true};
      Bodies.forEachPart(
          bytes,
          (part, offset, length) -> {
            isEmpty[0] = false;
            digest.update(part, offset, length);
          });
      return isEmpty[0] ? ofProperties('B', message, idProperty) : fingerprint(digest);
    }
    if (message instanceof MapMessage map) {
      return ofEntries(Bodies.entries(map), message, idProperty);
    }
    if (message instanceof StreamMessage stream) {
      return ofValues(Bodies.values(stream), message, idProperty);
    }
    return message instanceof ObjectMessage
        ? of('O', new byte[0]) // it may be empty or not
        : ofProperties('N', message, idProperty);
  }

  private static Fingerprint ofEntries(
      SortedMap<String, @Nullable Object> entries, Message message, String idProperty)
      throws JMSException {
    if (entries.isEmpty()) {
      return ofProperties('M', message, idProperty);
    }
    MessageDigest digest = begin('M');
    update(digest, entries);
    return fingerprint(digest);
  }

  private static Fingerprint ofValues(
      List<@Nullable Object> values, Message message, String idProperty) throws JMSException {
    if (values.isEmpty()) {
      return ofProperties('S', message, idProperty);
    }
    MessageDigest digest = begin('S');
    for (Object value : values) {
      update(digest, value);
    }
    return fingerprint(digest);
  }

  /** The fingerprint of a message whose body is empty. */
  private static Fingerprint ofProperties(char kind, Message message, String idProperty)
      throws JMSException {
    SortedMap<String, @Nullable Object> own = new TreeMap<>();
    for (String name : Bodies.names(message.getPropertyNames())) {
      boolean counts = isTheApplications(name) && !name.equals(idProperty);
      Object value = counts ? message.getObjectProperty(name) : null;
      if (value != null) {
        own.put(name, value);
      }
    }
    if (own.isEmpty()) {
      return of(kind, new byte[0]);
    }
    MessageDigest digest = begin('P');
    digest.update((byte) kind);
    update(digest, own);
    return fingerprint(digest);
  }

  private static boolean isTheApplications(String name) {
    return !OF_TRACING.contains(name) && NOT_THE_APPLICATIONS.stream().noneMatch(name::startsWith);
  }

  private static void update(MessageDigest digest, SortedMap<String, @Nullable Object> entries) {
    for (Map.Entry<String, @Nullable Object> entry : entries.entrySet()) {
      update(digest, entry.getKey());
      update(digest, entry.getValue());
    }
  }

  static Fingerprint ofText(String text) {
    return of('T', utf8(text));
  }

  static Fingerprint ofBytes(byte[] bytes) {
    return of('B', bytes);
  }

  /**
   * The fingerprint of a message whose body is not read.
   *
   * @param name the broker's id of the message
   */
  static Fingerprint ofUnread(String name) {
    return of('U', utf8(name));
  }

  static Fingerprint ofNothing() {
    return of('N', new byte[0]);
  }

  private static Fingerprint of(char kind, byte[] body) {
    MessageDigest digest = begin(kind);
    digest.update(body);
    return fingerprint(digest);
  }

  private static MessageDigest begin(char kind) {
    MessageDigest digest = Digests.sha256();
    digest.update((byte) kind);
    return digest;
  }

  private static Fingerprint fingerprint(MessageDigest digest) {
    return new Fingerprint(VERSION, HexFormat.of().formatHex(digest.digest()));
  }

  private static void update(MessageDigest digest, @Nullable Object value) {
    ByteBuffer buffer = ByteBuffer.allocate(1 + Long.BYTES);
    if (value == null) {
      buffer.put((byte) '0');
    } else if (value instanceof String text) {
      updateSized(digest, 't', utf8(text));
      return;
    } else if (value instanceof byte[] bytes) {
      updateSized(digest, 'y', bytes);
      return;
    } else if (value instanceof Boolean bool) {
      buffer.put((byte) 'z').put((byte) (bool ? 1 : 0));
    } else if (value instanceof Byte number) {
      buffer.put((byte) 'b').put(number);
    } else if (value instanceof Short number) {
      buffer.put((byte) 's').putShort(number);
    } else if (value instanceof Character character) {
      buffer.put((byte) 'c').putChar(character);
    } else if (value instanceof Integer number) {
      buffer.put((byte) 'i').putInt(number);
    } else if (value instanceof Long number) {
      buffer.put((byte) 'l').putLong(number);
    } else if (value instanceof Float number) {
      buffer.put((byte) 'f').putInt(Float.floatToIntBits(number));
    } else if (value instanceof Double number) {
      buffer.put((byte) 'd').putLong(Double.doubleToLongBits(number));
    } else {
      throw new IllegalArgumentException("no JMS message can hold a " + value.getClass().getName());
    }
    digest.update(Arrays.copyOf(buffer.array(), buffer.position()));
  }

  private static void updateSized(MessageDigest digest, char type, byte[] bytes) {
    digest.update(
        ByteBuffer.allocate(1 + Integer.BYTES).put((byte) type).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return withSurrogates(text);
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Encodes unpaired surrogates too, instead of replacing each one by a question mark. */
  private static byte[] withSurrogates(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(3 * text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (Character.getType(c) == Character.SURROGATE) {
                bytes.write(0xe0 | (c >> 12));
                bytes.write(0x80 | ((c >> 6) & 0x3f));
                bytes.write(0x80 | (c & 0x3f));
              } else {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
              }
            });
    return bytes.toByteArray();
  }
}
