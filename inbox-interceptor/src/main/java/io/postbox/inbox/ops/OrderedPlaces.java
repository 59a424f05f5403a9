package io.postbox.inbox.ops;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.store.DiscardStore.About;
import io.postbox.inbox.store.VersionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The places of aggregates in the order of versions, for what operators do. Thread-safe. */
final class OrderedPlaces {
  private final InboxConfig config;
  private volatile @Nullable VersionStore store;

  /**
   * @param config knows where the tables are, and which consumers have version order
   */
  OrderedPlaces(InboxConfig config) {
    this.config = config;
  }

  /** An aggregate whose row is locked until the transaction ends, with its last version. */
  record Locked(String consumer, Aggregate aggregate, long first) {}

  /**
   * Locks those aggregates that are ordered. As a delivery does, this comes before any lock on a
   * parked message.
   *
   * @param all in the order in which they are to be locked
   */
  List<Locked> lock(Connection connection, List<About> all) throws SQLException {
    List<Locked> locked = new ArrayList<>();
    for (About each : all) {
      if (config.of(each.consumer()).order().isPresent()) {
        locked.add(lock(connection, each));
      }
    }
    return locked;
  }

  private Locked lock(Connection connection, About about) throws SQLException {
    Aggregate aggregate = new Aggregate(about.type(), about.id(), 0);
    VersionStore.Place place =
        store(connection).lock(connection, about.consumer(), aggregate, aggregate.version());
    return new Locked(
        about.consumer(), new Aggregate(about.type(), about.id(), place.version()), place.first());
  }

  /** Releases the versions whose turn has come, because those before them were discarded. */
  void settle(Connection connection, List<Locked> all) throws SQLException {
    for (Locked each : all) {
      store(connection).settle(connection, each.consumer(), each.aggregate(), each.first());
    }
  }

  private VersionStore store(Connection connection) throws SQLException {
    VersionStore known = store;
    if (known == null) {
      known = new VersionStore(Dialect.of(connection, "inbox"), config.tables());
      store = known;
    }
    return known;
  }
}
