package io.postbox.it.consumers;

import io.postbox.inbox.InboxContext;
import io.postbox.it.tools.Database;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.ConfigProvider;

/** The consumers' effects in the database, and the failures that a test prescribes. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Effects {
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final List<String> tries = new CopyOnWriteArrayList<>();
  private final Set<String> givenUp = ConcurrentHashMap.newKeySet();
  private final List<String> deliveries = new CopyOnWriteArrayList<>();

  @Inject InboxContext context;
  @Resource TransactionSynchronizationRegistry registry;

  @PostConstruct
  void makeTable() {
    database()
        .run(
            """
            CREATE TABLE IF NOT EXISTS consumers_effect (
              service VARCHAR(100), consumer VARCHAR(100), text VARCHAR(200))
            """);
  }

  /** Has a consumer fail with a text from now on. */
  public void refuse(String consumer, String text) {
    refused.add(consumer + " " + text);
  }

  /** Has it take the text from now on. */
  public void take(String consumer, String text) {
    refused.remove(consumer + " " + text);
  }

  /**
   * Has the next transaction with a text marked and everything return as if nothing were.
   *
   * @param who the consumer, or {@code late} for the interceptor after the inbox
   */
  public void giveUpOnce(String who, String text) {
    givenUp.add(who + " " + text);
  }

  /** Does that, if it was said of this one. */
  public void markIfToldSo(String who, Message message) {
    if (givenUp.remove(who + " " + text(message))) {
      registry.setRollbackOnly();
    }
  }

  /** Counts a delivery, whatever becomes of it. */
  public void noteDelivery(Message message) {
    deliveries.add(text(message));
  }

  /** How often a text was delivered. */
  public long deliveriesOf(String text) {
    return deliveries.stream().filter(text::equals).count();
  }

  /** Handles a message, in the transaction of whoever calls. */
  public void leave(Message message) {
    String text = text(message);
    String what = context.consumer() + " " + text;
    tries.add(what);
    database()
        .run("INSERT INTO consumers_effect VALUES (?, ?, ?)", service(), context.consumer(), text);
    if (refused.contains(what)) {
      throw new IllegalStateException("not " + text);
    }
    markIfToldSo(context.consumer(), message);
  }

  private static String text(Message message) {
    try {
      return message.getBody(String.class);
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** How often a consumer has begun with a text. */
  public long triesOf(String consumer, String text) {
    return tries.stream().filter((consumer + " " + text)::equals).count();
  }

  /** The texts that a consumer has left, in no order. */
  public List<String> of(String consumer, String like) {
    return database()
        .column(
            "SELECT text FROM consumers_effect WHERE service = ? AND consumer = ? AND text LIKE ?",
            service(),
            consumer,
            like);
  }

  private static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  private static String service() {
    return setting("postbox.service");
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
