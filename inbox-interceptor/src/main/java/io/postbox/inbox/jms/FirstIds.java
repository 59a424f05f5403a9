package io.postbox.inbox.jms;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the JMSMessageID of a kept message's first delivery. */
public final class FirstIds {
  private FirstIds() {}

  /**
   * The JMSMessageID of a message, or of the one of which it is a copy; empty if there is none.
   *
   * @param properties all its headers and properties, as they were stored
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
      return Optional.empty(); // the send will fail and say why
    }
  }

  private static Map<?, ?> part(Map<String, @Nullable Object> all, String name) {
    return all.get(name) instanceof Map<?, ?> found ? found : Map.of();
  }
}
