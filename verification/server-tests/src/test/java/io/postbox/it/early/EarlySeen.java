package io.postbox.it.early;

import io.postbox.it.tools.Database;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.eclipse.microprofile.config.ConfigProvider;

/** Writes down which version a handler sees, in its transaction. */
public final class EarlySeen {
  private EarlySeen() {}

  /** Notes a message of an aggregate. */
  public static void note(String consumer, Message message) {
    try {
      note(
          consumer,
          message.getStringProperty("OutboxAggregateId"),
          message.getLongProperty("OutboxAggregateVersion"));
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** Notes a version of an aggregate. */
  public static void note(String consumer, String aggregate, long version) {
    database()
        .run(
            "INSERT INTO early_seen (service, consumer, aggregate, place, version)"
                + " SELECT ?, ?, ?, COUNT(*), ? FROM early_seen"
                + " WHERE service = ? AND consumer = ? AND aggregate = ?",
            setting("postbox.service"),
            consumer,
            aggregate,
            version,
            setting("postbox.service"),
            consumer,
            aggregate);
  }

  /** Where it writes. */
  public static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
