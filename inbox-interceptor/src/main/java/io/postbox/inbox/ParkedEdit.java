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
  private static final ParkedEdit NOTHING = new ParkedEdit(null, null, Map.of(), null);

  private final @Nullable String text;
  private final byte @Nullable [] bytes;
  private final Map<String, Object> properties;
  private final @Nullable String state;

  private ParkedEdit(
      @Nullable String text,
      byte @Nullable [] bytes,
      Map<String, Object> properties,
      @Nullable String state) {
    this.text = text;
    this.bytes = bytes;
    this.properties = properties;
    this.state = state;
  }

  /** Another text in place of the body. */
  public static ParkedEdit text(String text) {
    return new ParkedEdit(Objects.requireNonNull(text, "text"), null, Map.of(), null);
  }

  /** Other octets in place of the body; the array is copied. */
  public static ParkedEdit bytes(byte[] bytes) {
    return new ParkedEdit(null, bytes.clone(), Map.of(), null);
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
    return new ParkedEdit(text, bytes, new LinkedHashMap<>(some), state);
  }

  /**
   * The same edit, of the content that a preview has shown and of no other: it is refused once
   * somebody else has edited the message.
   */
  public ParkedEdit of(ParkedEditPreview preview) {
    return new ParkedEdit(text, bytes, properties, preview.state());
  }

  /** The {@link ParkedEditPreview#state} of the content that it is for, if for one alone. */
  public Optional<String> state() {
    return Optional.ofNullable(state);
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
