package io.postbox.inbox.store;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.PayloadCipher;
import io.postbox.inbox.PayloadCipher.Encrypted;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Storable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns a message that is kept aside into columns, and back: through the application's cipher,
 * where there is one. Thread-safe.
 */
public final class KeptContents {
  /** Without a cipher. */
  public static final KeptContents CLEAR = new KeptContents(Optional::empty);

  private static final int LONGEST_KEY_ID = 100;

  private final Supplier<Optional<PayloadCipher>> cipher;
  private final SealedTexts texts;

  /**
   * @param cipher asked each time, because the application's beans come late
   */
  public KeptContents(Supplier<Optional<PayloadCipher>> cipher) {
    this.cipher = cipher;
    texts = new SealedTexts(cipher);
  }

  /** Turns what is said of a message, or left for it, into columns, and back. */
  public SealedTexts texts() {
    return texts;
  }

  /**
   * A message as it is stored.
   *
   * @param type which kind of body it has
   * @param encrypted whether its body is encrypted: {@code bytes} are then the length of the key's
   *     id (two bytes), the key's id and the cipher text
   * @param text the body, if it is text in the clear
   * @param bytes the body otherwise
   * @param properties headers and properties as JSON
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  public record Columns(
      BodyType type,
      boolean encrypted,
      @Nullable String text,
      byte @Nullable [] bytes,
      String properties) {
    /** As they stand in a statement. */
    static final String NAMES = "body_type, encrypted, payload_text, payload_bytes, properties";

    /** How many they are. */
    static final int NUMBER = 5;

    /** Sets five parameters; the answer is the index of the next one. */
    int bind(PreparedStatement statement, int first) throws SQLException {
      statement.setString(first, type.name());
      statement.setBoolean(first + 1, encrypted);
      statement.setString(first + 2, text);
      statement.setBytes(first + 3, bytes);
      statement.setString(first + 4, properties);
      return first + NUMBER;
    }

    static Columns of(ResultSet row) throws SQLException {
      return new Columns(
          BodyType.valueOf(row.getString("body_type")),
          row.getBoolean("encrypted"),
          row.getString("payload_text"),
          row.getBytes("payload_bytes"),
          row.getString("properties"));
    }
  }

  /**
   * A message to be stored.
   *
   * @param messageId its id, if it has a usable one
   * @throws InboxException if it cannot be encrypted
   */
  Columns seal(@Nullable String messageId, Content content) {
    byte[] body = bytes(content);
    Optional<PayloadCipher> with = body == null ? Optional.empty() : cipher.get();
    if (body == null || with.isEmpty()) {
      ByteBuffer bytes = content.bytes();
      return new Columns(
          content.type(),
          false,
          content.text(),
          bytes == null ? null : array(bytes),
          content.properties());
    }
    try {
      Encrypted encrypted = with.get().encrypt(body, bound(messageId));
      return new Columns(content.type(), true, null, packed(encrypted), content.properties());
    } catch (Exception refused) { // the application's
      throw new InboxException(
          "Message "
              + (messageId == null ? "without a usable id" : messageId)
              + " should be kept aside, and its body cannot be encrypted: "
              + refused.getMessage()
              + ". Nothing was written; it is rolled back and comes again. Mend the PayloadCipher.",
          refused);
    }
  }

  /**
   * A message that was stored.
   *
   * @param messageId as it was sealed with
   * @throws InboxException if it cannot be decrypted
   */
  public Content open(@Nullable String messageId, Columns stored) {
    if (!stored.encrypted()) {
      byte[] bytes = stored.bytes();
      return new Content(
          stored.type(),
          stored.text(),
          bytes == null ? null : ByteBuffer.wrap(bytes),
          stored.properties());
    }
    byte[] body = decrypted(messageId, stored);
    return switch (stored.type()) {
      case TEXT, MAP, STREAM ->
          new Content(
              stored.type(), new String(body, StandardCharsets.UTF_8), null, stored.properties());
      case TEXT_UTF16, BYTES, NONE, NOT_KEPT ->
          new Content(stored.type(), null, ByteBuffer.wrap(body), stored.properties());
    };
  }

  private byte[] decrypted(@Nullable String messageId, Columns stored) {
    PayloadCipher with =
        cipher
            .get()
            .orElseThrow(
                () ->
                    new InboxException(
                        "Its body is encrypted, and the application has no PayloadCipher that the"
                            + " inbox's module can see. It stays where it is. Deploy the cipher.",
                        null));
    try {
      return with.decrypt(unpacked(stored.bytes()), bound(messageId));
    } catch (Exception refused) { // the application's
      throw new InboxException(
          "Its body cannot be decrypted: " + refused.getMessage() + ". It stays where it is.",
          refused);
    }
  }

  private static String bound(@Nullable String messageId) {
    return messageId == null ? "" : messageId;
  }

  private static byte @Nullable [] bytes(Content content) {
    String text = content.text();
    if (text != null) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuffer bytes = content.bytes();
    return bytes == null ? null : array(bytes);
  }

  static byte[] packed(Encrypted encrypted) {
    byte[] keyId = encrypted.keyId().getBytes(StandardCharsets.UTF_8);
    if (encrypted.keyId().isEmpty()
        || encrypted.keyId().length() > LONGEST_KEY_ID
        || !Storable.isText(encrypted.keyId())) {
      throw new IllegalArgumentException(
          "a key's id has 1 to %d characters, all of them Unicode, and this one has %d"
              .formatted(LONGEST_KEY_ID, encrypted.keyId().length()));
    }
    return ByteBuffer.allocate(Short.BYTES + keyId.length + encrypted.value().length)
        .putShort((short) keyId.length)
        .put(keyId)
        .put(encrypted.value())
        .array();
  }

  static Encrypted unpacked(byte @Nullable [] packed) {
    if (packed == null) {
      throw new IllegalArgumentException("there is no cipher text");
    }
    ByteBuffer buffer = ByteBuffer.wrap(packed);
    byte[] keyId = new byte[buffer.getShort()];
    buffer.get(keyId);
    return new Encrypted(array(buffer), new String(keyId, StandardCharsets.UTF_8));
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }
}
