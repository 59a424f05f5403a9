package io.postbox.sample.journey;

import io.postbox.sample.journey.Leg.InOutbox;
import io.postbox.sample.journey.Leg.Kept;
import io.postbox.sample.journey.Station.Name;
import io.postbox.sample.journey.Station.State;
import io.postbox.sample.orders.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides where an order is, from what is known of its messages. */
final class Stations {
  private static final String AHEAD = "AHEAD";

  private Stations() {}

  /**
   * The six stations, in order.
   *
   * @param placedAt when the order was committed, or at least its message enqueued
   * @param status the order's
   * @param shipped whether there is a shipment
   * @param out the message to shipping
   * @param reply the message back; empty if nothing is known of it
   */
  static List<Station> of(
      Instant placedAt, OrderStatus status, boolean shipped, Leg out, Optional<Leg> reply) {
    // The inbox forgets an id after its retention, and the order its outcome never.
    boolean isAnswered = status != OrderStatus.PLACED;
    boolean isHandled = out.isHandled() || isAnswered;
    return List.of(
        new Station(Name.ORDER, State.DONE, "COMMITTED", Optional.of(placedAt)),
        outbox(out),
        queue(out, isHandled),
        inbox(out, isHandled),
        shipment(out, isHandled, shipped),
        reply(isAnswered, isHandled && !out.discarded(), reply));
  }

  private static Station outbox(Leg out) {
    if (out.inOutbox().isEmpty()) {
      return new Station(Name.OUTBOX, State.DONE, "SENT", out.sentAt());
    }
    InOutbox row = out.inOutbox().get();
    State state =
        switch (row.status()) {
          case WAITING -> State.HERE;
          case PAUSED, CIRCUIT_OPEN, HELD -> State.WAITS;
          case DEAD, DISCARDED -> State.STOPPED;
        };
    return new Station(Name.OUTBOX, state, row.status().name(), row.blockedSince());
  }

  private static Station queue(Leg out, boolean isHandled) {
    if (isHandled || out.parked().isPresent()) {
      return new Station(
          Name.QUEUE, State.DONE, "DELIVERED", out.handledAt().or(() -> parkedAt(out)));
    }
    if (out.inOutbox().isPresent() && out.failures().isEmpty()) {
      return new Station(Name.QUEUE, State.AHEAD, AHEAD, Optional.empty());
    }
    return out.failures().isEmpty()
        ? new Station(Name.QUEUE, State.HERE, "TRAVELS", out.sentAt())
        : new Station(Name.QUEUE, State.WAITS, "REDELIVERED", last(out.failures()));
  }

  private static Station inbox(Leg out, boolean isHandled) {
    if (isHandled) {
      return out.discarded()
          ? new Station(Name.INBOX, State.STOPPED, "DISCARDED", out.handledAt())
          : new Station(Name.INBOX, State.DONE, "RECORDED", out.handledAt());
    }
    if (out.parked().isPresent()) {
      return new Station(Name.INBOX, State.STOPPED, "PARKED", parkedAt(out));
    }
    return out.failures().isEmpty()
        ? new Station(Name.INBOX, State.AHEAD, AHEAD, Optional.empty())
        : new Station(Name.INBOX, State.WAITS, "ROLLED_BACK", last(out.failures()));
  }

  private static Station shipment(Leg out, boolean isHandled, boolean shipped) {
    if (shipped) {
      return new Station(Name.SHIPMENT, State.DONE, "BOOKED", out.handledAt());
    }
    return isHandled && !out.discarded()
        ? new Station(Name.SHIPMENT, State.DONE, "REJECTED", out.handledAt())
        : new Station(Name.SHIPMENT, State.AHEAD, AHEAD, Optional.empty());
  }

  private static Station reply(boolean isAnswered, boolean isDue, Optional<Leg> reply) {
    if (isAnswered) {
      return new Station(Name.REPLY, State.DONE, "RECORDED", reply.flatMap(Leg::handledAt));
    }
    if (!isDue) {
      return new Station(Name.REPLY, State.AHEAD, AHEAD, Optional.empty());
    }
    return reply
            .flatMap(Leg::inOutbox)
            .filter(row -> row.status() != Leg.Status.WAITING)
            .isPresent()
        ? new Station(Name.REPLY, State.WAITS, "HELD_UP", Optional.empty())
        : new Station(Name.REPLY, State.HERE, "TRAVELS", reply.flatMap(Leg::sentAt));
  }

  private static Optional<Instant> parkedAt(Leg out) {
    return out.parked().map(Kept::at);
  }

  private static Optional<Instant> last(List<Instant> times) {
    return Optional.of(times.get(times.size() - 1));
  }
}
