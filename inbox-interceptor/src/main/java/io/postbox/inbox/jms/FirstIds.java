package io.postbox.inbox.jms;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the JMSMessageID of a kept message's first delivery. */
public final class FirstIds {
  private FirstIds() {}

  /**
   * That of a message, or of what it is a copy of; empty if there is none.
   *
   * @param properties all its headers and properties, as they were kept
   */
  public static Optional<String> in(String properties) {
    try {
      Map<String, @Nullable Object> all = Json.object(properties);
      Map<?, ?> own = part(all, "properties");
      Object found =
          own.get(CopyProperties.ATTEMPT) != null || own.get(CopyProperties.WAITS) != null
              ? Json.valueOf(own.get(CopyProperties.MESSAGE_ID))
              : part(all, "headers").get("JMSMessageID");
      return found instanceof String id ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty(); // it cannot be sent, and that is told then
    }
  }

  private static Map<?, ?> part(Map<String, @Nullable Object> all, String name) {
    return all.get(name) instanceof Map<?, ?> found ? found : Map.of();
  }
}
