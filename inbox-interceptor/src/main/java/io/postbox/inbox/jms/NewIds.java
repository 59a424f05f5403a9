package io.postbox.inbox.jms;

import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.StoredRow;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
   * @throws IllegalArgumentException if the id is new and a resolver of the application finds ids
   */
  public static Map<String, Object> of(
      Set<Consumer> consumers,
      String name,
      String id,
      boolean isNew,
      StoredRow row,
      int waitedFor) {
    Map<String, Object> ids = new TreeMap<>();
    if (!consumers.isEmpty()) {
      ids.put(CopyProperties.ONLY_FOR, name);
    }
    ids.put(CopyProperties.STORED, row.id() + "." + row.generation());
    ids.put(CopyProperties.ATTEMPT, waitedFor); // the inbox reads MESSAGE_ID only on copies
    if (isNew && consumers.isEmpty()) {
      ids.put(InboundProperties.MESSAGE_ID, id);
    }
    for (Consumer consumer : consumers) {
      switch (consumer.idFrom()) {
        case JMS_MESSAGE_ID -> ids.put(CopyProperties.MESSAGE_ID, id); // the header changes
        case OUTBOX_MESSAGE_ID -> putIf(isNew, ids, InboundProperties.MESSAGE_ID, id);
        case RESOLVER -> {
          if (isNew) {
            throw new IllegalArgumentException(
                "the id of its consumer is found by "
                    + consumer.resolver().getName()
                    + ", so the inbox cannot give it a new one");
          }
        }
        case PROPERTY -> putIf(isNew, ids, consumer.property(), id);
      }
    }
    return ids;
  }

  private static void putIf(boolean isNew, Map<String, Object> ids, String property, String id) {
    if (isNew) {
      ids.put(property, id);
    }
  }
}
