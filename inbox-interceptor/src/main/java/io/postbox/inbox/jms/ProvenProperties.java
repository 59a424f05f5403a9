package io.postbox.inbox.jms;

import io.postbox.inbox.message.StoredRow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The control properties of a message that this service is proven to have set; none without a
 * proof, whatever properties the message has.
 *
 * @param properties by name, among those of {@link CopyProperties}
 * @param ignored the names of unproven control properties of the message
 */
record ProvenProperties(Map<String, Object> properties, Set<String> ignored) {
  /** The properties of a message that this service has not resent. */
  static final ProvenProperties NOTHING = new ProvenProperties(Map.of(), Set.of());

  /** The upper bound of {@code max-attempts}. */
  private static final int LARGEST_COUNT = 1_000_000;

  /**
   * What holds for a consumer to which the handler of another one passes the message on: that it is
   * a copy for the other one does not concern it.
   */
  ProvenProperties passedOn() {
    Map<String, Object> others = new LinkedHashMap<>(properties);
    others.keySet().removeAll(Set.of(CopyProperties.ONLY_FOR, CopyProperties.STORED));
    return new ProvenProperties(others, ignored);
  }

  /** The only consumer for which the message is, if there is one. */
  @Nullable String onlyFor() {
    return text(CopyProperties.ONLY_FOR);
  }

  /** How many failures of its handler the message has waited for. */
  int attempt() {
    return count(CopyProperties.ATTEMPT);
  }

  /** Whether it is a copy, which has a new JMSMessageID. */
  boolean isCopy() {
    return properties.containsKey(CopyProperties.ATTEMPT);
  }

  /** Whether a reply may be sent to the destination that the original's sender chose. */
  boolean mayReply() {
    return Boolean.TRUE.equals(properties.get(CopyProperties.MAY_REPLY));
  }

  /** The JMSMessageID of a copy's original. */
  @Nullable Object messageId() {
    return properties.get(CopyProperties.MESSAGE_ID);
  }

  /** The id by which the requester recognises a reply. */
  @Nullable String requestId() {
    return text(CopyProperties.REQUEST_ID);
  }

  /** The row of which the message is a copy, if it is one. */
  @Nullable StoredRow stored() {
    String text = text(CopyProperties.STORED);
    if (text == null) {
      return null;
    }
    int dot = text.indexOf('.'); // it is proven, so this service has written it
    return new StoredRow(
        Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
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
