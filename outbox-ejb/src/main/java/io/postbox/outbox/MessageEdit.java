package io.postbox.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's changes to a dead letter; the rest stays. Immutable and thread-safe: every method
 * returns a new edit. Bounds are checked by {@link DeadLetters#edit}, as for an enqueue.
 */
public final class MessageEdit {
  private static final MessageEdit NOTHING = new MessageEdit(null, null);

  private final @Nullable Payload payload;
  private final @Nullable Map<String, Object> properties;

  private MessageEdit(@Nullable Payload payload, @Nullable Map<String, Object> properties) {
    this.payload = payload;
    this.properties = properties;
  }

  /** Another text in place of the payload; a message that carries text keeps its content type. */
  public static MessageEdit text(String text) {
    return new MessageEdit(new Payload.Text(Objects.requireNonNull(text, "text")), null);
  }

  /** Other octets in place of the payload; the array is copied. */
  public static MessageEdit bytes(byte[] bytes) {
    return new MessageEdit(new Payload.Bytes(bytes.clone()), null);
  }

  /** The same payload; for {@link #properties}. */
  public static MessageEdit samePayload() {
    return NOTHING;
  }

  /**
   * Other JMS properties in place of all that the message has.
   *
   * @param all names and values, as {@link OutboxMessage#property} takes them
   */
  public MessageEdit properties(Map<String, Object> all) {
    return new MessageEdit(payload, new LinkedHashMap<>(all));
  }

  /** The payload, if it changes: a text or octets. */
  public Optional<Payload> payload() {
    return Optional.ofNullable(payload);
  }

  /** The JMS properties, if they change. */
  public Optional<Map<String, Object>> properties() {
    return Optional.ofNullable(properties).map(Map::copyOf);
  }

  /** Names what changes; never the payload. */
  @Override
  public String toString() {
    return "MessageEdit[payload=%s, properties=%s]"
        .formatted(payload != null, properties == null ? "same" : properties.keySet());
  }
}
