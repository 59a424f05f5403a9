package io.postbox.common;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's changes to a dead letter or a parked message; the rest stays. Immutable and
 * thread-safe: every method returns a new edit. Its bounds are checked where it is carried out. Its
 * {@link #toString} reveals no value.
 */
public final class MessageEdit {
  private static final MessageEdit NOTHING = new MessageEdit(null, null, null);

  private final @Nullable String text;
  private final byte @Nullable [] bytes;
  private final @Nullable Map<String, Object> properties;

  private MessageEdit(
      @Nullable String text, byte @Nullable [] bytes, @Nullable Map<String, Object> properties) {
    this.text = text;
    this.bytes = bytes;
    this.properties = properties;
  }

  /** Another text in place of the body; a dead letter that carries text keeps its content type. */
  public static MessageEdit text(String text) {
    return new MessageEdit(Objects.requireNonNull(text, "text"), null, null);
  }

  /** Other octets in place of the body; the array is copied. */
  public static MessageEdit bytes(byte[] bytes) {
    return new MessageEdit(null, bytes.clone(), null);
  }

  /** The same body; for {@link #properties}. */
  public static MessageEdit samePayload() {
    return NOTHING;
  }

  /**
   * Other JMS properties: for a dead letter in place of all that it has; for a parked message those
   * that change or come, because the sender's id may be among the others.
   *
   * @param values names and values; a value is a {@code String}, a {@code Boolean} or a number that
   *     JMS can carry
   */
  public MessageEdit properties(Map<String, Object> values) {
    return new MessageEdit(text, bytes, new LinkedHashMap<>(values));
  }

  /** The text in place of the body, if there is one. */
  public Optional<String> text() {
    return Optional.ofNullable(text);
  }

  /** The octets in place of the body, if there are any. */
  public Optional<byte[]> bytes() {
    return Optional.ofNullable(bytes).map(byte[]::clone);
  }

  /** The JMS properties, if they change. */
  public Optional<Map<String, Object>> properties() {
    return Optional.ofNullable(properties).map(Map::copyOf);
  }

  /** Names what changes; never the payload. */
  @Override
  public String toString() {
    return "MessageEdit[payload=%s, properties=%s]"
        .formatted(
            text != null || bytes != null, properties == null ? "same" : properties.keySet());
  }
}
