package io.postbox.inbox.ops;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.store.KeptRows.About;
import io.postbox.inbox.store.VersionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The places of aggregates in the order of versions, for what operators do. Thread-safe.
 *
 * @param config knows which consumers have version order
 * @param store the places
 */
record OrderedPlaces(InboxConfig config, VersionStore store) {

  /** An aggregate whose row is locked until the transaction ends, with its last version. */
  record Locked(String consumer, Aggregate aggregate, long first) {}

  /**
   * Aggregates whose rows are locked.
   *
   * @param busy the first message whose aggregate another transaction has; empty if there is none
   */
  record Free(List<Locked> locked, OptionalLong busy) {}

  /**
   * Locks those aggregates that are ordered, up to the first one that another transaction has. As
   * in a delivery, this comes before any lock on a parked message.
   *
   * @param all in the order of the messages
   * @param waits whether to wait for another transaction
   */
  Free lock(Connection connection, List<About> all, boolean waits) throws SQLException {
    Map<List<String>, Locked> locked = new LinkedHashMap<>();
    for (About each : all) {
      List<String> name = List.of(each.consumer(), each.type(), each.id());
      if (config.of(each.consumer()).order().isPresent() && !locked.containsKey(name)) {
        Optional<Locked> free = lock(connection, each, waits);
        if (free.isEmpty()) {
          return new Free(List.copyOf(locked.values()), OptionalLong.of(each.row()));
        }
        locked.put(name, free.get());
      }
    }
    return new Free(List.copyOf(locked.values()), OptionalLong.empty());
  }

  private Optional<Locked> lock(Connection connection, About about, boolean waits)
      throws SQLException {
    Aggregate aggregate = new Aggregate(about.type(), about.id(), 0);
    Optional<Standing> place =
        waits
            ? Optional.of(store.lock(connection, about.consumer(), aggregate, aggregate.version()))
            : store.lockUnlessBusy(connection, about.consumer(), aggregate, aggregate.version());
    return place.map(
        it ->
            new Locked(
                about.consumer(),
                new Aggregate(about.type(), about.id(), it.version()),
                it.first()));
  }

  /** Releases the versions whose turn has come, because those before them were discarded. */
  void settle(Connection connection, List<Locked> all) throws SQLException {
    for (Locked each : all) {
      store.settle(connection, each.consumer(), each.aggregate(), each.first());
    }
  }
}
