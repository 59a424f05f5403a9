package io.postbox.it.connection;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import javax.sql.DataSource;

/** An application on JPA. */
@Stateless
public class JpaPurchases {
  /** Resource environment entry, so that one class serves every data source. */
  @Resource(name = "jdbc/injected")
  DataSource injected;

  @PersistenceContext EntityManager entities;
  @Inject Outbox outbox;

  /** Stores a purchase and enqueues a message; the row is written by the flush at commit. */
  public Sessions buy(String name, String dataSource, String sessionQuery) {
    entities.persist(new Purchase(name));
    outbox.enqueue(OutboxMessage.to("nowhere").text(name));
    return new Sessions(
        entities.createNativeQuery(sessionQuery).getSingleResult().toString(),
        new Database(injected).value(sessionQuery),
        Database.at(dataSource).value(sessionQuery));
  }
}
