package io.postbox.it.connection;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Arrays;
import javax.sql.DataSource;

/** An application on JPA. */
@Stateless
public class JpaPurchases {
  /** Resource environment entry, so that one class serves every data source. */
  @Resource(name = "jdbc/injected")
  DataSource injected;

  @PersistenceContext EntityManager entities;
  @Inject Outbox outbox;
  @Inject Event<Bought> bought;

  /**
   * Something was bought.
   *
   * @param name of the article
   */
  public record Bought(String name) {}

  /** Stores a purchase and enqueues a message; the row is written by the flush at commit. */
  public Sessions buy(String name, String dataSource, String sessionQuery) {
    entities.persist(new Purchase(name));
    outbox.enqueue(OutboxMessage.to("nowhere").text(name));
    return sessions(dataSource, sessionQuery);
  }

  /**
   * Stores a purchase, pays for an earlier one, and enqueues a message. Before that it asks for
   * what it has changed, upon which the rows are written, unless the mode has them wait for the
   * commit.
   *
   * @return the sessions, and how many purchases with these names were found paid
   */
  public Payment buyAndPay(
      String name, String earlier, FlushModeType mode, String dataSource, String sessionQuery) {
    entities.setFlushMode(mode);
    entities.persist(new Purchase(name));
    entities.find(Purchase.class, earlier).pay();
    long paid =
        entities
            .createQuery(
                "SELECT COUNT(p) FROM Purchase p WHERE p.paid = TRUE AND p.name = :name",
                Long.class)
            .setParameter("name", earlier)
            .getSingleResult();
    outbox.enqueue(OutboxMessage.to("nowhere").text(name));
    return new Payment(sessions(dataSource, sessionQuery), paid, isWoven());
  }

  /** Stores a purchase, whose message is enqueued when the transaction completes. */
  public void buyObserved(String name) {
    entities.persist(new Purchase(name));
    bought.fire(new Bought(name));
  }

  /** Stores a purchase, whose message the listener of its receipt enqueues: in the last flush. */
  public void buyWithReceipt(String name) {
    entities.persist(new Purchase(name));
    entities.persist(new Receipt(name));
  }

  /** The result, from the database. */
  public Purchase find(String name) {
    return entities.find(Purchase.class, name);
  }

  private static boolean isWoven() {
    return Arrays.stream(Purchase.class.getInterfaces())
        .anyMatch(type -> type.getSimpleName().equals("PersistenceWeaved"));
  }

  private Sessions sessions(String dataSource, String sessionQuery) {
    return new Sessions(
        entities.createNativeQuery(sessionQuery).getSingleResult().toString(),
        new Database(injected).value(sessionQuery),
        Database.at(dataSource).value(sessionQuery));
  }
}
