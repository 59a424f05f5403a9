package io.postbox.inbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's changes to a parked message; the rest stays. Immutable and thread-safe: every
 * method returns a new edit. Bounds are checked by {@link ParkedMessages#edit}. Its {@link
 * #toString} reveals no value.
 */
public final class ParkedEdit {
  private static final ParkedEdit NOTHING = new ParkedEdit(null, null, Map.of());

  private final @Nullable String text;
  private final byte @Nullable [] bytes;
  private final Map<String, Object> properties;

  private ParkedEdit(
      @Nullable String text, byte @Nullable [] bytes, Map<String, Object> properties) {
    this.text = text;
    this.bytes = bytes;
    this.properties = properties;
  }

  /** Another text in place of the body. */
  public static ParkedEdit text(String text) {
    return new ParkedEdit(Objects.requireNonNull(text, "text"), null, Map.of());
  }

  /** Other octets in place of the body; the array is copied. */
  public static ParkedEdit bytes(byte[] bytes) {
    return new ParkedEdit(null, bytes.clone(), Map.of());
  }

  /** The same body; for {@link #properties}. */
  public static ParkedEdit samePayload() {
    return NOTHING;
  }

  /**
   * Other values for some JMS properties, or new properties. All others stay, because the sender's
   * id may be among them.
   *
   * @param some names and values; a value is a {@code String}, a {@code Boolean} or a number that
   *     JMS can carry
   */
  public ParkedEdit properties(Map<String, Object> some) {
    return new ParkedEdit(text, bytes, new LinkedHashMap<>(some));
  }

  /** The text in place of the body, if there is one. */
  public Optional<String> text() {
    return Optional.ofNullable(text);
  }

  /** The octets in place of the body, if there are any. */
  public Optional<byte[]> bytes() {
    return Optional.ofNullable(bytes).map(byte[]::clone);
  }

  /** The properties that change; none if they stay. */
  public Map<String, Object> properties() {
    return Map.copyOf(properties);
  }

  /** Names what changes; never the payload. */
  @Override
  public String toString() {
    return "ParkedEdit[payload=%s, properties=%s]"
        .formatted(text != null || bytes != null, properties.keySet());
  }
}
