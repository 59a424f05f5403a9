package io.postbox.inbox.jms;

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
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of version 1: SHA-256 over one letter for the kind of body, followed by the body.
 *
 * <ul>
 *   <li>{@code T}: the text as UTF-8; no text is like an empty one, because some providers turn one
 *       into the other
 *   <li>{@code B}: the bytes
 *   <li>{@code M}: for each name in the order of its UTF-16 units, the name as a value and its
 *       value
 *   <li>{@code S}: each value in order
 *   <li>{@code O}: an object, and nothing more: to look into it would be to deserialise it
 *   <li>{@code N}: no body
 * </ul>
 *
 * <p>A value is a letter for its type, followed, big-endian, by what it holds; strings (UTF-8) and
 * bytes are preceded by their length as an {@code int}. Half a surrogate pair, for which UTF-8 has
 * no place, is the three bytes that any other character of its number would be.
 */
final class Fingerprints {
  private static final int VERSION = 1;

  private Fingerprints() {}

  static Fingerprint of(Message message) throws JMSException {
    if (message instanceof TextMessage text) {
      String body = text.getText();
      return ofText(body == null ? "" : body);
    }
    MessageDigest digest = sha256();
    if (message instanceof BytesMessage bytes) {
      digest.update((byte) 'B');
      Bodies.forEachPart(bytes, digest::update);
    } else if (message instanceof MapMessage map) {
      digest.update((byte) 'M');
      for (var entry : Bodies.entries(map).entrySet()) {
        update(digest, entry.getKey());
        update(digest, entry.getValue());
      }
    } else if (message instanceof StreamMessage stream) {
      digest.update((byte) 'S');
      for (Object value : Bodies.values(stream)) {
        update(digest, value);
      }
    } else {
      digest.update((byte) (message instanceof ObjectMessage ? 'O' : 'N'));
    }
    return fingerprint(digest);
  }

  static Fingerprint ofText(String text) {
    return of('T', utf8(text));
  }

  static Fingerprint ofBytes(byte[] bytes) {
    return of('B', bytes);
  }

  static Fingerprint ofNothing() {
    return of('N', new byte[0]);
  }

  private static Fingerprint of(char kind, byte[] body) {
    MessageDigest digest = sha256();
    digest.update((byte) kind);
    digest.update(body);
    return fingerprint(digest);
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

  /** Without putting one and the same question mark in the place of each half pair. */
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

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
