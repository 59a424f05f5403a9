package io.postbox.sample.billing;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import io.postbox.sample.events.OrderShipped;
import io.postbox.sample.events.UnexpectedEventException;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;

/** Writes invoices and finds them. Each method is one transaction, or part of the caller's. */
@Stateless
public class BillingService {
  @PersistenceContext(unitName = "sample")
  EntityManager entities;

  /**
   * Writes the invoice for a shipped order; called by the inbox, in the transaction that marks the
   * message as processed.
   */
  @InboxHandler("billing")
  public void book(CapturedMessage message) {
    String event = message.eventType().orElse("missing");
    if (!event.equals("OrderShipped")) {
      throw new UnexpectedEventException(message.id(), event, "OrderShipped");
    }
    OrderShipped shipped = message.payload(OrderShipped.class);
    entities.persist(new Invoice(shipped.orderId(), shipped.shipmentId()));
  }

  /** The invoices for an order, oldest first: one, once it is billed. */
  public List<InvoiceDetails> invoicesFor(long orderId) {
    return entities
        .createQuery(
            "SELECT i FROM Invoice i WHERE i.orderId = :orderId ORDER BY i.id", Invoice.class)
        .setParameter("orderId", orderId)
        .getResultStream()
        .map(Invoice::details)
        .toList();
  }

  /** Counts all invoices. */
  public long count() {
    return entities.createQuery("SELECT COUNT(i) FROM Invoice i", Long.class).getSingleResult();
  }
}
