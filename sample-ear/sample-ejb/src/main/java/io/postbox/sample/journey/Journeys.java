package io.postbox.sample.journey;

import io.postbox.common.Paused;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailedAttempt.Kind;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.MessageLife;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.RelayControl;
import io.postbox.sample.journey.Journal.Sendings;
import io.postbox.sample.journey.Leg.InOutbox;
import io.postbox.sample.journey.Leg.Kept;
import io.postbox.sample.orders.OrderDetails;
import io.postbox.sample.orders.OrderService;
import io.postbox.sample.orders.OrderStatus;
import io.postbox.sample.shipping.ShipmentDetails;
import io.postbox.sample.shipping.ShippingService;
import io.postbox.sample.trouble.Troubles;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Tells an order's journey: asks Postbox where the order's messages are, by the same beans that an
 * application of your own would ask. Up to ten queries, each by a key.
 */
@ApplicationScoped
public class Journeys {
  private static final String ORDERS = "orders";

  @Inject OrderService orders;
  @Inject ShippingService shipping;
  @Inject MessageLookup outbox;
  @Inject io.postbox.inbox.MessageLookup inbox;
  @Inject RelayControl relay;
  @Inject OutboxNodes nodes;
  @Inject Journal journal;

  /** An order's journey; empty if there is no such order. */
  public Optional<Journey> of(long orderId) {
    Optional<OrderDetails> order = orders.find(orderId);
    Optional<UUID> messageId = orders.messageOf(orderId);
    return order.isEmpty() || messageId.isEmpty()
        ? Optional.empty()
        : Optional.of(journey(order.get(), messageId.get()));
  }

  private Journey journey(OrderDetails order, UUID id) {
    // First the outbox: a message that leaves it meanwhile is then found further on, or nowhere
    // yet.
    Optional<FoundMessage> row = outbox.get(id).filter(Journeys::isHere);
    Leg out = leg(id, row, OrderService.SHIPPING);
    List<ShipmentDetails> shipments = shipping.shipmentsFor(order.orderId());
    Optional<Leg> reply =
        out.isHandled() || order.status() != OrderStatus.PLACED ? replyTo(order) : Optional.empty();
    // A resend is in the outbox as well, and is not the message that was handled.
    Leg first = out.isHandled() ? withoutRow(out) : out;
    return new Journey(
        order.orderId(),
        order.sku(),
        order.quantity(),
        order.status(),
        id.toString(),
        row.map(FoundMessage::destination),
        Stations.of(
            row.map(FoundMessage::enqueuedAt)
                .filter(at -> !out.isHandled())
                .orElseGet(() -> madeAt(id)),
            order.status(),
            !shipments.isEmpty(),
            first,
            reply),
        out.failures(),
        out.timesSent(),
        out.skipped(),
        out.parked().map(kept -> OptionalLong.of(kept.row())).orElse(OptionalLong.empty()),
        out.quarantined().stream().map(Kept::row).toList(),
        shipments.stream().map(ShipmentDetails::shipmentId).toList());
  }

  /** In the outbox or discarded there, and not in the archive because it was sent. */
  private static boolean isHere(FoundMessage message) {
    return message.status() != Status.SENT;
  }

  private static Leg withoutRow(Leg leg) {
    return new Leg(
        leg.messageId(),
        Optional.empty(),
        leg.sentAt(),
        leg.timesSent(),
        leg.handledAt(),
        leg.discarded(),
        leg.failures(),
        leg.parked(),
        leg.quarantined(),
        leg.skipped());
  }

  /** The reply has the order as its aggregate, and so as its ordering key. */
  private Optional<Leg> replyTo(OrderDetails order) {
    Optional<UUID> sent = journal.lastSent(ORDERS, "Order/" + order.orderId());
    if (sent.isPresent() || order.status() != OrderStatus.PLACED) {
      return sent.map(id -> leg(id, Optional.empty(), ORDERS));
    }
    LookupFilter reply = LookupFilter.all().destination(ORDERS).aggregate("Order", order.orderId());
    return outbox.find(reply, "", 1).items().stream()
        .filter(Journeys::isHere)
        .map(row -> leg(row.id(), Optional.of(row), ORDERS))
        .findFirst();
  }

  private Leg leg(UUID id, Optional<FoundMessage> row, String consumer) {
    MessageLife life = inbox.life(consumer, id.toString());
    Optional<io.postbox.inbox.FoundMessage> handled = kept(life, Place.HANDLED).findFirst();
    Optional<Sendings> sendings = journal.sendings(id);
    return new Leg(
        id.toString(),
        row.map(this::inOutbox),
        sendings.map(Sendings::first),
        sendings.map(Sendings::times).orElse(0),
        handled.map(io.postbox.inbox.FoundMessage::at),
        handled.flatMap(io.postbox.inbox.FoundMessage::outcome).stream()
            .anyMatch(Outcome.DISCARDED::equals),
        life.events().stream()
            .flatMap(event -> event.failure().stream())
            .filter(failure -> failure.kind() == Kind.FAILED && !failure.redriven())
            .map(FailedAttempt::at)
            .toList(),
        kept(life, Place.PARKED).map(Journeys::kept).findFirst(),
        kept(life, Place.QUARANTINED).map(Journeys::kept).toList(),
        journal.skips(id));
  }

  private static Stream<io.postbox.inbox.FoundMessage> kept(MessageLife life, Place place) {
    return life.rows().stream().filter(row -> row.place() == place);
  }

  private static Kept kept(io.postbox.inbox.FoundMessage row) {
    return new Kept(row.row().orElse(0), row.at());
  }

  private InOutbox inOutbox(FoundMessage row) {
    return switch (row.status()) {
      case DEAD -> new InOutbox(Leg.Status.DEAD, row.endedAt());
      case DISCARDED -> new InOutbox(Leg.Status.DISCARDED, row.endedAt());
      case HELD -> new InOutbox(Leg.Status.HELD, Optional.empty());
      case PENDING, DELAYED, SENT -> pending(row.destination());
    };
  }

  private InOutbox pending(String destination) {
    Optional<Instant> paused = Troubles.paused(relay.paused(), destination).map(Paused::since);
    if (paused.isPresent()) {
      return new InOutbox(Leg.Status.PAUSED, paused);
    }
    Optional<Instant> open = Troubles.breaker(nodes.list(), destination).map(OpenBreaker::since);
    return new InOutbox(open.isPresent() ? Leg.Status.CIRCUIT_OPEN : Leg.Status.WAITING, open);
  }

  /** Ids of the outbox are UUIDv7, which begin with the milliseconds of their time. */
  private static Instant madeAt(UUID id) {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
