package io.postbox.it.order;

import io.postbox.inbox.Inbox;
import io.postbox.it.tools.Database;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.eclipse.microprofile.config.ConfigProvider;

/** Writes down which version it sees, under the lock that the inbox holds. */
@Inbox("order")
@MessageDriven
public class OrderMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    try {
      database()
          .run(
              "INSERT INTO order_seen (service, aggregate, place, version)"
                  + " SELECT ?, ?, COUNT(*), ? FROM order_seen WHERE service = ? AND aggregate = ?",
              service(),
              message.getStringProperty("OutboxAggregateId"),
              message.getLongProperty("OutboxAggregateVersion"),
              service(),
              message.getStringProperty("OutboxAggregateId"));
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** Where it writes. */
  public static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  static String service() {
    return setting("postbox.service");
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
