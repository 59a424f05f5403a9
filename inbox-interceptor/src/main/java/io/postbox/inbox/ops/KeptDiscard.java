package io.postbox.inbox.ops;

import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.ConsumerConfig.OnParked;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.store.BusyRows;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.ErasureStore.Done;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.IdRange.Place;
import io.postbox.inbox.store.KeptRow.Spot;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Discards kept messages of one kind, or holds them, in a transaction. Thread-safe.
 *
 * @param kind the kind of messages
 * @param config knows which consumers keep an order
 * @param rows their rows
 * @param places knows which ids can be stored
 * @param captured knows the places of those that were captured
 * @param order the places of their aggregates
 */
record KeptDiscard(
    Kind kind,
    InboxConfig config,
    KeptRows rows,
    IdRange places,
    CapturedStore captured,
    OrderedPlaces order) {

  /**
   * Deletes messages, up to the first one that another transaction has, or its aggregate or
   * ordering key. Such a transaction may be that of a handler that runs for long, so it is not
   * waited for as long as this one has locked what others need: the rest is left to the next call.
   * Only the first message is waited for, and then alone.
   *
   * @param plan selects them; what it does not select any more is left alone
   * @param some in order, not empty
   */
  Done discard(Connection connection, KeptFilter plan, List<Long> some) throws SQLException {
    if (kind != Kind.PARKED) {
      return new Done(rows.deleteThese(connection, plan, some), some.size());
    }
    Optional<Done> free =
        BusyRows.unlessBusy(
            connection,
            attempt ->
                Optional.of(discard(attempt, plan, some, false)).filter(it -> it.through() > 0));
    return free.isPresent() ? free.get() : discard(connection, plan, some.subList(0, 1), true);
  }

  /**
   * Parks messages that are retried by themselves, but those that handlers have. As {@link
   * #discard}, it waits for an ordering key only with one message.
   *
   * @param plan selects them; what it does not select any more is left alone
   * @param some in order, not empty
   */
  Done hold(Connection connection, KeptFilter plan, List<Long> some) throws SQLException {
    Optional<Done> free =
        BusyRows.unlessBusy(
            connection,
            attempt ->
                Optional.of(hold(attempt, plan, some, false)).filter(it -> it.through() > 0));
    return free.isPresent() ? free.get() : hold(connection, plan, some.subList(0, 1), true);
  }

  private Done hold(Connection connection, KeptFilter plan, List<Long> some, boolean waits)
      throws SQLException {
    List<Long> through = some;
    List<Spot> free = new ArrayList<>();
    for (Spot each : rows.lock(connection, plan, some, false)) {
      String key = each.key();
      if (!waits
          && key != null
          && freesKey(each)
          && captured.isKeyBusy(connection, each.consumer(), key)) {
        through = before(some, each.id());
        break;
      }
      free.add(each);
    }
    int held = free.isEmpty() ? 0 : rows.hold(connection, free.stream().map(Spot::id).toList());
    for (Spot each : free) {
      if (each.isCaptured() && each.holds()) { // others are not the heads of their keys
        captured.keepAside(connection, each.id(), each.consumer(), each.key(), !freesKey(each));
      }
    }
    return new Done(held, through.size());
  }

  /** Whether those behind a message wait for it until it is parked, and not longer. */
  private boolean freesKey(Spot at) {
    return at.isCaptured()
        && at.holds()
        && config.of(at.consumer()).capture().onParked() != OnParked.HOLD;
  }

  private Done discard(Connection connection, KeptFilter plan, List<Long> some, boolean waits)
      throws SQLException {
    OrderedPlaces.Free aggregates =
        order.lock(connection, rows.aggregates(connection, some), waits);
    List<Long> through =
        aggregates.busy().isEmpty() ? some : before(some, aggregates.busy().getAsLong());
    Done done =
        through.isEmpty() ? new Done(0, 0) : discardParked(connection, plan, through, waits);
    order.settle(connection, aggregates.locked());
    return done;
  }

  private static List<Long> before(List<Long> some, long busy) {
    return some.stream().takeWhile(id -> id < busy).toList();
  }

  private Done discardParked(Connection connection, KeptFilter plan, List<Long> some, boolean waits)
      throws SQLException {
    List<Spot> locked = rows.lock(connection, plan, some, waits);
    List<Long> through =
        locked.size() < some.size() ? upToBusy(connection, plan, some, locked) : some;
    List<Spot> free = new ArrayList<>();
    for (Spot each : locked) {
      if (!through.isEmpty() && each.id() <= through.get(through.size() - 1)) {
        if (each.isCaptured() && !giveUpPlace(connection, each, waits)) {
          through = before(through, each.id());
        } else {
          free.add(each);
        }
      }
    }
    return new Done(free.isEmpty() ? 0 : discardLocked(connection, free), through.size());
  }

  private boolean giveUpPlace(Connection connection, Spot at, boolean waits) throws SQLException {
    String id = at.messageId();
    return id == null
        || captured.discard(connection, at.consumer(), id, at.key(), at.holds(), waits);
  }

  /** The messages before the first one that is there and not locked here. */
  private List<Long> upToBusy(
      Connection connection, KeptFilter plan, List<Long> some, List<Spot> locked)
      throws SQLException {
    Set<Long> here = locked.stream().map(Spot::id).collect(Collectors.toSet());
    return rows.existing(connection, plan, some).stream()
        .filter(id -> !here.contains(id))
        .findFirst()
        .map(busy -> before(some, busy))
        .orElse(some);
  }

  private int discardLocked(Connection connection, List<Spot> locked) throws SQLException {
    // a late copy of one whose id can no longer be stored is quarantined
    List<Long> toRemember =
        locked.stream().filter(each -> isStorable(each.messageId())).map(Spot::id).toList();
    if (!toRemember.isEmpty()) {
      rows.remember(connection, toRemember);
    }
    List<Long> ordered = locked.stream().filter(this::isOrdered).map(Spot::id).toList();
    if (!ordered.isEmpty()) {
      rows.passOver(connection, ordered);
    }
    return rows.delete(connection, locked.stream().map(Spot::id).toList());
  }

  private boolean isStorable(@Nullable String messageId) {
    Place place = messageId == null ? Place.TOO_OLD : places.of(messageId);
    return place == Place.STORABLE || place == Place.NOT_READY;
  }

  private boolean isOrdered(Spot message) {
    return config.of(message.consumer()).order().isPresent();
  }
}
