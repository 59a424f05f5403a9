package io.postbox.testkit.model;

import io.postbox.testkit.model.FinalState.Captures;
import io.postbox.testkit.model.FinalState.Invoice;
import io.postbox.testkit.model.FinalState.Order;
import io.postbox.testkit.model.FinalState.Shipment;
import io.postbox.testkit.model.FinalState.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges messages that are captured first and handled later: in every campaign those about
 * shipments, each of which has to be billed once; in some of them the orders as well.
 *
 * <p>The messages of an ordering key take effect in the order in which they were captured. Of no
 * consumer a message is left that waits for nobody: for a worker, for its time, or for its copy. No
 * key is held without a parked message, and no attempt is on record that nobody makes. Handled
 * messages are remembered.
 */
final class CaptureCheck {
  private final FinalState state;
  private final Terms terms;
  private final Captures captures;
  private final List<Violation> violations = new ArrayList<>();

  CaptureCheck(FinalState state, Terms terms) {
    this.state = state;
    this.terms = terms;
    captures = state.captures();
  }

  List<Violation> violations() {
    shipmentsAreBilledOnce();
    invoicesHaveAShipment();
    keysKeepTheOrderOfCapture();
    nothingIsLeftStored();
    if (!terms.isForgetful()) {
      handledMessagesAreRemembered();
    }
    return violations;
  }

  /** By shipment: of one that is doubled, each has an invoice of its own. */
  private void shipmentsAreBilledOnce() {
    Map<Long, List<Long>> invoices =
        state.invoices().stream()
            .collect(
                Collectors.groupingBy(
                    Invoice::shipmentId, Collectors.mapping(Invoice::id, Collectors.toList())));
    for (Shipment shipment : state.shipments()) {
      List<Long> found = invoices.getOrDefault(shipment.id(), List.of());
      if (found.isEmpty()) {
        violations.add(new Violation.NotBilled(shipment.orderId(), shipment.id()));
      } else if (found.size() > 1) {
        violations.add(new Violation.BilledTwice(shipment.orderId(), found));
      }
    }
  }

  private void invoicesHaveAShipment() {
    Map<Long, Long> orders =
        state.shipments().stream().collect(Collectors.toMap(Shipment::id, Shipment::orderId));
    state.invoices().stream()
        .filter(invoice -> orders.getOrDefault(invoice.shipmentId(), 0L) != invoice.orderId())
        .forEach(invoice -> violations.add(new Violation.GhostInvoice(invoice)));
  }

  /**
   * Of shipping's messages, where it captures and keeps their rows. A transaction begins to write
   * when it locks its message, which the one before it with the same key has released.
   */
  private void keysKeepTheOrderOfCapture() {
    Map<String, Order> orders =
        state.orders().stream()
            .collect(Collectors.toMap(Order::messageId, order -> order, (a, b) -> a));
    Map<Long, Turn> turns = new HashMap<>();
    for (Stored message : captures.messages()) {
      Order order = orders.get(message.messageId());
      if (order != null && message.isProcessed() && !message.key().isEmpty()) {
        turns.put(order.id(), new Turn(order.id(), message.key(), turns.size()));
      }
    }
    Map<String, Turn> latest = new HashMap<>();
    for (Shipment shipment : state.shipments()) {
      Turn turn = turns.remove(shipment.orderId()); // a second shipment is judged elsewhere
      if (turn != null) {
        latest.merge(turn.key(), turn, this::later);
      }
    }
  }

  /**
   * When an order's message was captured.
   *
   * @param number before all with a higher one
   */
  private record Turn(long orderId, String key, int number) {}

  private Turn later(Turn latest, Turn next) {
    if (next.number() < latest.number()) {
      violations.add(new Violation.HandledOutOfOrder(next.orderId(), next.key(), latest.orderId()));
      return latest;
    }
    return next;
  }

  private void nothingIsLeftStored() {
    Set<String> parkedKeys = new HashSet<>();
    for (Stored message : captures.messages()) {
      if (message.isParked()) {
        parkedKeys.add(message.consumer() + " " + message.key());
      } else if (!message.isProcessed()) {
        violations.add(new Violation.LeftStored(message));
      }
    }
    captures.keys().stream()
        .filter(key -> !parkedKeys.contains(key))
        .forEach(key -> violations.add(new Violation.KeyHeld("captured by " + key)));
    captures
        .withoutRow()
        .forEach(message -> violations.add(new Violation.CapturedAndGone(message)));
    captures.attempts().forEach(attempt -> violations.add(new Violation.LeftAtWork(attempt)));
  }

  /** Shipping's by their ids; those of billing, whose ids no client knows, by their number. */
  private void handledMessagesAreRemembered() {
    Set<Long> shipped =
        state.shipments().stream().map(Shipment::orderId).collect(Collectors.toSet());
    state.orders().stream()
        .filter(order -> shipped.contains(order.id()))
        .filter(order -> !state.handled().contains(order.messageId()))
        .forEach(order -> violations.add(new Violation.Forgotten(order.id())));
    long billed = state.invoices().stream().map(Invoice::shipmentId).distinct().count();
    if (captures.billed() != billed) {
      violations.add(new Violation.WrongMemory("billing", billed, captures.billed()));
    }
  }
}
