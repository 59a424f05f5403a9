package io.postbox.testkit.model;

import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.Unanswered;
import io.postbox.testkit.model.FinalState.KeptAside;
import io.postbox.testkit.model.FinalState.Order;
import io.postbox.testkit.model.FinalState.Shipment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the answers that clients got with the contents of database and queues in the end.
 *
 * <p>Nothing lost: an order that was answered 201 exists, is shipped, and says so; and so is
 * everything else that exists, because an order and its message are one transaction. Nothing
 * doubled. No ghosts. Each shipment is billed once, by a handler whose messages are captured:
 * {@link CaptureCheck}. The stock agrees. Nothing is left behind on the way. A request without an
 * answer may have happened once, or not at all. Of two orders of one article, of which one was
 * answered before the other was asked for, that one's message is the first to be sent first.
 * Versions of aggregates are handled once and in their order: {@link VersionCheck}. What an
 * operator decides is done, and nothing else: {@link JobCheck}.
 */
public final class Checker {
  private final List<Event> history;
  private final FinalState state;
  private final Terms terms;
  private final Map<Long, Order> orders;
  private final Map<Long, List<Shipment>> shipments;
  private final List<Violation> violations = new ArrayList<>();

  private Checker(List<Event> history, FinalState state, Terms terms) {
    this.history = history;
    this.state = state;
    this.terms = terms;
    orders = state.orders().stream().collect(Collectors.toMap(Order::id, order -> order));
    shipments =
        state.shipments().stream()
            .collect(Collectors.groupingBy(Shipment::orderId, TreeMap::new, Collectors.toList()));
  }

  /** The same on the usual terms. */
  public static List<Violation> check(List<Event> history, FinalState state) {
    return check(history, state, Terms.USUAL);
  }

  /** All promises that were not kept; empty if all is well. */
  public static List<Violation> check(List<Event> history, FinalState state, Terms terms) {
    Checker checker = new Checker(history, state, terms);
    checker.acknowledgedOrdersExist();
    checker.ordersWereAskedFor();
    checker.ordersAreShippedOnce();
    checker.shipmentsHaveAnOrder();
    checker.stockAgrees();
    checker.keysKeepTheirOrder();
    checker.nothingIsLeftBehind();
    checker.onlyHostileMessagesAreKeptAside();
    checker.hostileMessagesThatAreMessagesAreHandled();
    checker.nothingIsFilled();
    checker.violations.addAll(new CaptureCheck(state, terms).violations());
    checker.violations.addAll(new VersionCheck(history, state, terms).violations());
    checker.violations.addAll(new JobCheck(history, state).violations());
    return List.copyOf(checker.violations);
  }

  private Stream<Acknowledged> acknowledged() {
    return history.stream().filter(Acknowledged.class::isInstance).map(Acknowledged.class::cast);
  }

  private void acknowledgedOrdersExist() {
    acknowledged()
        .forEach(
            promise -> {
              Order order = orders.get(promise.orderId());
              if (order == null) {
                violations.add(new Violation.Lost(promise.orderId()));
              } else {
                sameAsPromised(promise, order);
              }
            });
  }

  private void sameAsPromised(Acknowledged promise, Order order) {
    Order expected =
        new Order(
            promise.orderId(),
            promise.sku(),
            promise.quantity(),
            order.status(),
            promise.messageId().toString());
    if (!order.equals(expected)) {
      violations.add(
          new Violation.Altered(order.id(), "answered as " + expected + ", is " + order));
    }
  }

  /**
   * Each order without an answer needs an unanswered request of its own. A client cannot know the
   * number of such an order, so they are matched by content.
   */
  private void ordersWereAskedFor() {
    Map<String, Integer> unanswered = new HashMap<>();
    history.stream()
        .filter(Unanswered.class::isInstance)
        .map(Unanswered.class::cast)
        .forEach(ask -> unanswered.merge(ask.sku() + " x " + ask.quantity(), 1, Integer::sum));
    Map<Long, Integer> promises = new HashMap<>();
    acknowledged().forEach(promise -> promises.merge(promise.orderId(), 1, Integer::sum));
    for (Order order : state.orders()) {
      int answers = promises.getOrDefault(order.id(), 0);
      String content = order.sku() + " x " + order.quantity();
      if (answers > 1) {
        violations.add(
            new Violation.Altered(order.id(), "was the answer to " + answers + " requests"));
      } else if (answers == 0 && unanswered.merge(content, -1, Integer::sum) < 0) {
        violations.add(new Violation.GhostOrder(order.id()));
      }
    }
  }

  private void ordersAreShippedOnce() {
    for (Order order : state.orders()) {
      List<Shipment> found = shipments.getOrDefault(order.id(), List.of());
      if (found.isEmpty()) {
        violations.add(new Violation.NotShipped(order.id()));
        continue;
      }
      if (found.size() > 1) {
        violations.add(
            new Violation.ShippedTwice(order.id(), found.stream().map(Shipment::id).toList()));
      }
      if (!order.status().equals("SHIPPED")) {
        violations.add(new Violation.NotMarked(order.id(), order.status()));
      }
      for (Shipment shipment : found) {
        if (!shipment.sku().equals(order.sku()) || shipment.quantity() != order.quantity()) {
          violations.add(new Violation.Altered(order.id(), order + " was shipped as " + shipment));
        }
      }
    }
  }

  private void shipmentsHaveAnOrder() {
    for (Shipment shipment : state.shipments()) {
      if (!orders.containsKey(shipment.orderId())) {
        violations.add(new Violation.GhostShipment(shipment.orderId(), shipment.id()));
      }
    }
  }

  private void stockAgrees() {
    Map<String, Long> shipped =
        state.shipments().stream()
            .collect(
                Collectors.groupingBy(Shipment::sku, Collectors.summingLong(Shipment::quantity)));
    state
        .stockBefore()
        .forEach(
            (sku, before) -> {
              long expected = before - shipped.getOrDefault(sku, 0L);
              long found = state.stock().getOrDefault(sku, 0L);
              if (found != expected) {
                violations.add(new Violation.WrongStock(sku, expected, found));
              }
            });
  }

  /**
   * Judges each message by its first way to the broker. One that was on its way before, nobody
   * knows with what end, is not judged.
   */
  private void keysKeepTheirOrder() {
    Map<String, Acknowledged> promises =
        acknowledged()
            .collect(
                Collectors.toMap(
                    promise -> promise.messageId().toString(), promise -> promise, (a, b) -> a));
    Set<String> seen = new HashSet<>();
    Map<String, Integer> tries = new HashMap<>();
    Map<String, Acknowledged> askedLast = new HashMap<>();
    for (Sent sent : state.sent()) {
      Acknowledged promise = promises.get(sent.messageId());
      if (!sent.committed()) {
        tries.merge(sent.messageId(), 1, Integer::sum);
      } else if (seen.add(sent.messageId())
          && promise != null
          && tries.getOrDefault(sent.messageId(), 0) <= 1) {
        askedLast.merge(
            sent.destination() + " " + sent.key(),
            promise,
            (last, next) -> laterAsked(last, next, sent.key()));
      }
    }
    seen.addAll(tries.keySet());
    promises.forEach(
        (id, promise) -> {
          if (!seen.contains(id) && shipments.containsKey(promise.orderId())) {
            violations.add(new Violation.Unseen(promise.orderId()));
          }
        });
  }

  private Acknowledged laterAsked(Acknowledged last, Acknowledged next, String key) {
    if (next.at().compareTo(last.asked()) < 0) {
      violations.add(new Violation.OutOfOrder(next.orderId(), key, last.orderId()));
    }
    return next.asked().compareTo(last.asked()) > 0 ? next : last;
  }

  /**
   * Each that was sent is on record, for its own reason, and once if it can be known; and nothing
   * else is.
   */
  private void onlyHostileMessagesAreKeptAside() {
    Map<String, List<KeptAside>> kept =
        state.keptAside().stream().collect(Collectors.groupingBy(KeptAside::tag));
    hostile()
        .forEach(
            sent -> {
              List<KeptAside> found =
                  Objects.requireNonNullElse(kept.remove(sent.tag().toString()), List.of());
              boolean right =
                  sent.kind().isRightlyKeptFor(found.stream().map(KeptAside::reason).toList())
                      && found.stream().noneMatch(it -> it.hasBody() && sent.kind().isForwarded());
              boolean isMissing = sent.isSent() && found.isEmpty() && !sent.kind().isToBeHandled();
              if (!right || isMissing) {
                violations.add(new Violation.HostileNotOnRecord(sent.kind(), sent.tag(), found));
              }
            });
    kept.values().stream()
        .flatMap(List::stream)
        .forEach(message -> violations.add(new Violation.KeptAside(message)));
  }

  private Stream<HostileSent> hostile() {
    return history.stream().filter(HostileSent.class::isInstance).map(HostileSent.class::cast);
  }

  /** Nobody believes what they say of themselves, and nobody skips them because of it. */
  private void hostileMessagesThatAreMessagesAreHandled() {
    hostile()
        .filter(sent -> sent.isSent() && sent.kind().isToBeHandled())
        .filter(sent -> !state.handled().contains(sent.tag().toString()))
        .forEach(sent -> violations.add(new Violation.HostileSkipped(sent.kind(), sent.tag())));
  }

  /** There is no more of them than the consumer may have, and no body was dropped before that. */
  private void nothingIsFilled() {
    List<KeptAside> kept = state.keptAside();
    long bytes = kept.stream().mapToLong(KeptAside::size).sum();
    long withoutBody = kept.stream().filter(it -> !it.hasBody()).count();
    if (!terms.quota().allows(kept.size(), withoutBody, bytes)) {
      violations.add(new Violation.Filled(kept.size(), bytes));
    }
    long dropped = withoutBody - forwarded();
    if (dropped > 0 && !terms.quota().mayBeReached(bytes)) {
      violations.add(new Violation.BodiesDropped(dropped, bytes));
    }
  }

  /** How many of what is on record are to be in the dead queue as well. */
  private long forwarded() {
    Set<String> tags =
        hostile()
            .filter(sent -> sent.kind().isForwarded())
            .map(sent -> sent.tag().toString())
            .collect(Collectors.toSet());
    return state.keptAside().stream().filter(it -> tags.contains(it.tag())).count();
  }

  private void nothingIsLeftBehind() {
    state
        .outbox()
        .forEach(message -> violations.add(new Violation.LeftInOutbox(message.orderId(), message)));
    state.heldKeys().forEach(key -> violations.add(new Violation.KeyHeld(key)));
    state
        .queues()
        .forEach(
            (queue, messages) -> {
              if (queue.endsWith(" " + HostileMessage.DEAD_QUEUE)) {
                if (messages != forwarded()) {
                  violations.add(new Violation.Forwarded(forwarded(), messages));
                }
              } else if (messages != 0) {
                violations.add(new Violation.LeftInQueue(queue, messages));
              }
            });
    state.inDoubt().forEach(xid -> violations.add(new Violation.InDoubt(xid)));
  }
}
