package io.postbox.it.business;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;

/** An EJB in the EAR's EJB module: a domain row and a message, in one transaction. */
@Stateless
public class BusinessService {
  @Inject Outbox outbox;
  @Resource SessionContext context;

  /** The failure after both were written. */
  public enum Ending {
    COMMIT,
    RUNTIME_EXCEPTION,
    SET_ROLLBACK_ONLY,
    FAILING_SQL
  }

  /** Writes both, and then ends as told. */
  public UUID place(String name, Ending ending) {
    Database database = Database.byDefault();
    database.run("INSERT INTO business_domain (name) VALUES (?)", name);
    UUID id = outbox.enqueue(message(name));
    switch (ending) {
      case COMMIT -> {}
      case RUNTIME_EXCEPTION -> throw new IllegalArgumentException("the business says no");
      case SET_ROLLBACK_ONLY -> context.setRollbackOnly();
      case FAILING_SQL ->
          database.run("INSERT INTO business_domain (name) VALUES (?)", name); // is there already
    }
    return id;
  }

  /** Gives up, and enqueues nevertheless. */
  public void enqueueAfterSetRollbackOnly(String name) {
    context.setRollbackOnly();
    outbox.enqueue(message(name));
  }

  /** Enqueues where no transaction is. */
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public void enqueueWithoutTransaction(String name) {
    outbox.enqueue(message(name));
  }

  /** Many messages of one ordering key. */
  public List<UUID> placeAll(List<String> names) {
    return outbox.enqueueAll(
        names.stream()
            .map(name -> OutboxMessage.to("ordered").orderedBy("one key").text(name))
            .toList());
  }

  static OutboxMessage message(String name) {
    return OutboxMessage.to("business").event("Placed").aggregate("Thing", name).text(name);
  }
}
