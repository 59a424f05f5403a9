package io.postbox.inbox.jms;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The control properties of a message that are proven to be this service's; without a proof there
 * are none, whatever the message says.
 *
 * @param properties by name, among those of {@link CopyProperties}
 * @param ignored the names of those that the message has and that are not proven
 */
record Carried(Map<String, Object> properties, Set<String> ignored) {
  /** What a message carries as its sender makes it. */
  static final Carried NOTHING = new Carried(Map.of(), Set.of());

  /** What {@code max-attempts} and {@code order.max-waits} may be at most. */
  private static final int LARGEST_COUNT = 1_000_000;

  /** The one consumer that it is for, if it is for one alone. */
  @Nullable String onlyFor() {
    return text(CopyProperties.ONLY_FOR);
  }

  /** How many failures of its handler it has waited for. */
  int attempt() {
    return count(CopyProperties.ATTEMPT);
  }

  /** How often it came too early in the order of its aggregate. */
  int waits() {
    return count(CopyProperties.WAITS);
  }

  /** Whether the inbox has sent it again, by which it got a new JMSMessageID. */
  boolean isCopy() {
    return properties.containsKey(CopyProperties.ATTEMPT)
        || properties.containsKey(CopyProperties.WAITS);
  }

  /** The JMSMessageID that a copy first came with. */
  @Nullable Object messageId() {
    return properties.get(CopyProperties.MESSAGE_ID);
  }

  /** By what whoever waits for a reply recognises it. */
  @Nullable String requestId() {
    return text(CopyProperties.REQUEST_ID);
  }

  private @Nullable String text(String name) {
    return properties.get(name) instanceof String text ? text : null;
  }

  private int count(String name) {
    return properties.get(name) instanceof Integer count && count >= 0 && count <= LARGEST_COUNT
        ? count
        : 0;
  }
}
