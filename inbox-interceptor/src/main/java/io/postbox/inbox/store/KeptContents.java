package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.log.MachineErrors;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.common.store.Sql;
import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts a kept message to columns and back, with the application's cipher if there is one.
 * Thread-safe.
 */
public final class KeptContents {
  /** Without a cipher. */
  public static final KeptContents CLEAR = new KeptContents(Optional::empty);

  private static final int LONGEST_KEY_ID = 100;
  private static final String IT = "The message";
  private static final String BODY = "payload";
  private static final String PROPERTIES = "properties";

  private final Ciphers ciphers;
  private final SealedTexts texts;

  /** Reads plaintext rows without a log line. */
  public KeptContents(Supplier<Optional<PayloadCipher>> cipher) {
    this(cipher, false, times -> {}, Runnable::run);
  }

  /**
   * @param cipher is called each time, because the application's beans start later than the inbox
   * @param encryptionRequired whether plaintext is forbidden
   * @param log receives the number of plaintext rows that were read although there is a cipher, at
   *     most once a minute
   * @param executor runs a cipher that may hang, on other threads than the caller's
   */
  public KeptContents(
      Supplier<Optional<PayloadCipher>> cipher,
      boolean encryptionRequired,
      LongConsumer log,
      Executor executor) {
    this(
        new Ciphers(cipher, encryptionRequired, System::nanoTime, log),
        new ApplicationCalls(executor, 1),
        SealedTexts.LIMIT);
  }

  KeptContents(Ciphers ciphers, ApplicationCalls calls, Duration limit) {
    this.ciphers = ciphers;
    texts = new SealedTexts(ciphers, calls, limit);
  }

  /** Converts errors and results to columns and back. */
  public SealedTexts texts() {
    return texts;
  }

  /**
   * A message as it is stored.
   *
   * @param type the kind of its body
   * @param encrypted whether it is encrypted: {@code bytes}, where there is a body, are then the
   *     length of the key's id (two bytes), the key's id and the cipher text; the properties are
   *     the same in Base64
   * @param text the body, if it is plaintext
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
    /** The columns' names, for a statement. */
    static final String NAMES = "body_type, encrypted, payload_text, payload_bytes, properties";

    /** The number of columns. */
    static final int NUMBER = 5;

    /** The five parameters. */
    Sql.Values values() {
      return Sql.values(type.name(), encrypted, text, bytes, properties);
    }

    static Columns of(ResultSet row) throws SQLException {
      return later(row).get();
    }

    /**
     * Reads the columns at once, and only asks for them what they mean: a later version may have
     * stored a kind of body that this one does not know.
     */
    static Supplier<Columns> later(ResultSet row) throws SQLException {
      String type = row.getString("body_type");
      boolean encrypted = row.getBoolean("encrypted");
      String text = row.getString("payload_text");
      byte[] bytes = row.getBytes("payload_bytes");
      String properties = row.getString("properties");
      return () -> new Columns(BodyType.valueOf(type), encrypted, text, bytes, properties);
    }
  }

  /**
   * Converts a message to columns.
   *
   * @param place its row
   * @throws InboxException if it cannot be encrypted
   */
  Columns seal(Place place, Content content) {
    byte[] body = bytes(content);
    try {
      Optional<PayloadCipher> with = ciphers.toSeal();
      if (with.isEmpty()) {
        ByteBuffer bytes = content.bytes();
        return new Columns(
            content.type(),
            false,
            content.text(),
            bytes == null ? null : array(bytes),
            content.properties());
      }
      byte[] sealed =
          body == null ? null : packed(with.get().encrypt(body, place.of(BODY, content.type())));
      byte[] properties =
          packed(
              with.get()
                  .encrypt(
                      content.properties().getBytes(StandardCharsets.UTF_8),
                      place.of(PROPERTIES, content.type())));
      return new Columns(
          content.type(), true, null, sealed, Base64.getEncoder().encodeToString(properties));
    } catch (Throwable refused) { // the application's; its text may contain part of a key
      MachineErrors.rethrow(refused);
      String id = place.messageId();
      throw new InboxException(
          "Message "
              + (id == null ? "without a usable id" : id)
              + " cannot be kept aside, because it cannot be encrypted ("
              + refused.getClass().getName()
              + "). It was not written; it is rolled back and redelivered. Repair the"
              + " PayloadCipher.",
          refused);
    }
  }

  /**
   * Reads a stored message.
   *
   * @param place the row for which it was encrypted
   * @throws InboxException if it cannot be decrypted, or is forbidden plaintext
   */
  public Content open(Place place, Columns stored) {
    String properties = properties(place, stored.type(), stored.encrypted(), stored.properties());
    byte[] bytes = stored.bytes();
    if (!stored.encrypted()) {
      return new Content(
          stored.type(), stored.text(), bytes == null ? null : ByteBuffer.wrap(bytes), properties);
    }
    if (bytes == null) {
      return new Content(stored.type(), null, null, properties);
    }
    byte[] body = ciphers.open(IT, bytes, place.of(BODY, stored.type()));
    return switch (stored.type()) {
      case TEXT, MAP, STREAM ->
          new Content(stored.type(), new String(body, StandardCharsets.UTF_8), null, properties);
      case TEXT_UTF16, BYTES, NONE, NOT_KEPT ->
          new Content(stored.type(), null, ByteBuffer.wrap(body), properties);
    };
  }

  /**
   * Reads headers and properties of a stored message.
   *
   * @param place the row for which they were encrypted
   * @throws InboxException if they cannot be decrypted, or are forbidden plaintext
   */
  public String properties(Place place, BodyType type, boolean encrypted, String stored) {
    if (!encrypted) {
      ciphers.foundPlain(IT);
      return stored;
    }
    return ciphers.openText(IT, stored, place.of(PROPERTIES, type));
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
          "a key's id has 1 to %s characters, all of them Unicode, and this one has %s"
              .formatted(LONGEST_KEY_ID, encrypted.keyId().length()));
    }
    return ByteBuffer.allocate(Short.BYTES + keyId.length + encrypted.value().length)
        .putShort((short) keyId.length)
        .put(keyId)
        .put(encrypted.value())
        .array();
  }

  static Encrypted unpacked(byte[] packed) {
    ByteBuffer buffer = ByteBuffer.wrap(packed);
    byte[] keyId = new byte[buffer.getShort()];
    buffer.get(keyId);
    return new Encrypted(array(buffer), new String(keyId, StandardCharsets.UTF_8));
  }

  /** A copy of what is left of a buffer, whose position stays. */
  public static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }
}
