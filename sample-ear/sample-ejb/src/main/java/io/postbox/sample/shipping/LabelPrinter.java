package io.postbox.sample.shipping;

import io.postbox.inbox.InboxContext;
import io.postbox.sample.events.Trouble;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

/**
 * The part of the shipping handler that fails on demand. Each method is one transaction, or part of
 * the caller's.
 */
@Stateless
public class LabelPrinter {
  @PersistenceContext(unitName = "sample")
  EntityManager entities;

  @Inject InboxContext delivery;

  /**
   * Prints the label of a parcel; called by the handler, for the messages that carry a trouble.
   *
   * @throws PrinterFaultException if the trouble strikes this time
   */
  public void print(Trouble trouble) {
    boolean strikes =
        switch (trouble) {
          case FAILS_ONCE -> delivery.attempt() == 1;
          case FAILS_ALWAYS -> isBroken();
          case NO_DESTINATION -> false; // it struck on the way here
        };
    if (strikes) {
      throw new PrinterFaultException(
          trouble == Trouble.FAILS_ONCE
              ? "The label printer was out of paper"
              : "The label printer is out of order");
    }
  }

  /** Whether it is out of order. */
  public boolean isBroken() {
    Machine printer = entities.find(Machine.class, Machine.LABEL_PRINTER);
    return printer != null && printer.isBroken();
  }

  /** Puts it out of order for the orders that are to fail always, until {@link #mend}. */
  public void breakDown() {
    set(true);
  }

  /** Repairs it. Messages parked meanwhile stay parked until somebody redrives them. */
  public void mend() {
    set(false);
  }

  private void set(boolean broken) {
    entities
        .createNamedQuery(Machine.SET)
        .setParameter("broken", broken)
        .setParameter("name", Machine.LABEL_PRINTER)
        .executeUpdate();
  }
}
