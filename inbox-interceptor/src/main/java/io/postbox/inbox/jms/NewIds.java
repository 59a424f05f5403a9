package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.StoredRow;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the id of a redriven message where its consumer looks for it, and restricts the message to
 * that consumer. If the consumer is not in this application, it may have been renamed, so any
 * consumer at the destination may handle the message.
 */
public final class NewIds {
  private NewIds() {}

  /**
   * The properties to set.
   *
   * @param consumers the annotated uses of the consumer's name; none if it is not in this
   *     application (any more), and then it counts as one that uses {@code OutboxMessageId}
   * @param name the consumer's name
   * @param id its new id
   * @param isNew whether it differs from the original one
   * @param row the row of the message, and the generation of this copy
   * @param waitedFor how many failures of its handler it has waited for
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @param firstId the JMSMessageID of the received message, for other consumers to which a handler
   *     passes this one on
   * @throws IllegalArgumentException if the id is new and a resolver of the application finds ids
   */
  public static Map<String, Object> of(
      Set<Consumer> consumers,
      String name,
      String id,
      boolean isNew,
      StoredRow row,
      int waitedFor,
      boolean mayReply,
      Optional<String> firstId) {
    Map<String, Object> ids = new TreeMap<>();
    if (!consumers.isEmpty()) {
      ids.put(CopyProperties.ONLY_FOR, name);
    }
    ids.put(CopyProperties.STORED, row.id() + "." + row.generation());
    ids.put(CopyProperties.ATTEMPT, waitedFor); // the inbox reads MESSAGE_ID only on copies
    if (mayReply) {
      ids.put(CopyProperties.MAY_REPLY, true);
    }
    boolean isByHeader =
        consumers.isEmpty()
            || consumers.stream().anyMatch(each -> each.idFrom() == IdFrom.JMS_MESSAGE_ID);
    Optional<String> header = isByHeader ? Optional.of(id) : firstId; // that of a copy is new
    header.ifPresent(known -> ids.put(CopyProperties.MESSAGE_ID, known));
    if (isNew && consumers.isEmpty()) {
      ids.put(OutboxProperties.MESSAGE_ID, id);
    } else if (isNew) {
      for (Consumer consumer : consumers) {
        switch (consumer.idFrom()) {
          case JMS_MESSAGE_ID -> {} // as above
          case OUTBOX_MESSAGE_ID -> ids.put(OutboxProperties.MESSAGE_ID, id);
          case PROPERTY -> ids.put(consumer.property(), id);
          case RESOLVER ->
              throw new IllegalArgumentException(
                  "the id of its consumer is found by "
                      + consumer.resolver().getName()
                      + ", so the inbox cannot give it a new one");
        }
      }
    }
    return ids;
  }

  /**
   * The JMSMessageID of a kept message's first delivery: its own, or the one of which it is a copy;
   * empty if there is none.
   *
   * @param properties all its headers and properties, as they were stored
   */
  public static Optional<String> first(String properties) {
    try {
      Map<String, @Nullable Object> own = Contents.part(properties, "properties").orElse(Map.of());
      Object found =
          own.get(CopyProperties.ATTEMPT) != null
              ? Json.valueOf(own.get(CopyProperties.MESSAGE_ID))
              : Contents.part(properties, "headers").orElse(Map.of()).get("JMSMessageID");
      return found instanceof String id ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty(); // the send will fail and say why
    }
  }
}
