package io.postbox.inbox.ops;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.store.DiscardStore;
import io.postbox.inbox.store.DiscardStore.Locked;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.IdRange.Place;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Discards kept messages of one kind, in a transaction. Thread-safe.
 *
 * @param kind the kind of messages
 * @param config knows which consumers keep an order
 * @param rows their rows
 * @param discards remembers them
 * @param places knows which ids can be stored
 * @param captured the places of those that were captured
 * @param order the places of their aggregates
 */
record KeptDiscard(
    Kind kind,
    InboxConfig config,
    KeptRows rows,
    DiscardStore discards,
    IdRange places,
    CapturedPlaces captured,
    OrderedPlaces order) {

  /** Deletes messages, and returns how many there were. */
  int discard(Connection connection, List<Long> some) throws SQLException {
    if (kind != Kind.PARKED) {
      return rows.delete(connection, some);
    }
    List<OrderedPlaces.Locked> aggregates =
        order.lock(connection, discards.aggregates(connection, some));
    int discarded = discardParked(connection, some);
    order.settle(connection, aggregates);
    return discarded;
  }

  private int discardParked(Connection connection, List<Long> some) throws SQLException {
    List<Locked> locked = discards.lock(connection, some);
    if (locked.isEmpty()) {
      return 0;
    }
    Collection<Long> toRemember = onePerMessage(locked);
    if (!toRemember.isEmpty()) {
      discards.remember(connection, toRemember);
    }
    for (Locked each : locked) {
      if (each.isCaptured()) {
        captured.discard(connection, each.consumer(), each.messageId());
      }
    }
    List<Long> ordered = locked.stream().filter(this::isOrdered).map(Locked::id).toList();
    if (!ordered.isEmpty()) {
      discards.passOver(connection, ordered);
    }
    return rows.delete(connection, some);
  }

  /**
   * One row for each message: a message can be parked twice if its redrive broke off. Leaves out
   * ids that can no longer be stored: a late copy of such a message is quarantined.
   */
  private Collection<Long> onePerMessage(List<Locked> locked) {
    Map<List<String>, Long> rowIds = new HashMap<>();
    for (Locked each : locked) {
      Place place = places.of(each.messageId());
      if (place == Place.STORABLE || place == Place.NOT_READY) {
        rowIds.put(List.of(each.consumer(), each.messageId()), each.id());
      }
    }
    return rowIds.values();
  }

  private boolean isOrdered(Locked message) {
    return config.of(message.consumer()).order().isPresent();
  }
}
