package io.postbox.inbox.ops;

import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.ServiceHeartbeatStore;
import io.postbox.inbox.store.ServiceHeartbeatStore.Alive;
import io.postbox.inbox.store.ServiceHeartbeatStore.Outage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The heartbeat of the service as a whole. Works in the caller's transaction, which holds the lock
 * until it ends. Nothing is known of the time before the first node ran, so that time counts as an
 * outage too.
 */
final class ServiceHeartbeat {
  /** A shorter gap is a restart or a slow node. */
  static final Duration LONGEST_SILENCE = Duration.ofMinutes(3);

  private final ServiceHeartbeatStore store;

  ServiceHeartbeat(ServiceHeartbeatStore store) {
    this.store = store;
  }

  /**
   * Records that this node runs, and the outage before, if there was one.
   *
   * @return the service uptime, or empty if another node has the lock
   */
  Optional<ServiceUptime> goOn(Connection connection) throws SQLException {
    Optional<Alive> locked = store.lock(connection);
    if (locked.isEmpty() && store.begin(connection)) {
      Instant now = store.now(connection);
      store.record(connection, new Outage(Instant.EPOCH, now));
      locked = Optional.of(new Alive(now, now));
    }
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    Alive alive = locked.get();
    if (alive.now().isBefore(alive.at())) {
      store.cut(connection, alive.now());
    } else if (isOutage(alive)) {
      Outage outage = new Outage(alive.at(), alive.now());
      store.record(connection, outage);
      InboxLog.outage(outage.beganAt(), outage.endedAt());
    }
    store.live(connection, alive.now());
    return Optional.of(new ServiceUptime(alive.now(), store.outages(connection)));
  }

  private static boolean isOutage(Alive alive) {
    return Duration.between(alive.at(), alive.now()).compareTo(LONGEST_SILENCE) > 0;
  }

  /**
   * The service uptime, read without the lock and without a change. Includes an outage that ends
   * now, which another node may be about to record. The heartbeat is read before the recorded
   * outages, so that an outage committed in between is counted twice rather than missed.
   */
  ServiceUptime soFar(Connection connection) throws SQLException {
    Optional<Alive> alive = store.read(connection);
    Instant now = alive.isPresent() ? alive.get().now() : store.now(connection);
    List<Outage> outages = new ArrayList<>(store.outages(connection));
    if (alive.isEmpty()) {
      outages.add(new Outage(Instant.EPOCH, now));
    } else if (isOutage(alive.get())) {
      outages.add(new Outage(alive.get().at(), now));
    }
    return new ServiceUptime(now, outages);
  }

  /** Deletes outages that ended before every retention period. */
  void forget(Connection connection, Instant endedBy) throws SQLException {
    store.forget(connection, endedBy);
  }
}
