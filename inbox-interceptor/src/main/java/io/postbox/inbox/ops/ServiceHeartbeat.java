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
 * The life of the service's nodes, in the transaction of the caller, who holds the lock until it
 * ends. Nothing is known of the time before the first node lived, so that counts as an outage too.
 */
final class ServiceHeartbeat {
  /** A shorter silence is that of a restart, or of a node that was slow. */
  static final Duration LONGEST_SILENCE = Duration.ofMinutes(3);

  private final ServiceHeartbeatStore store;

  ServiceHeartbeat(ServiceHeartbeatStore store) {
    this.store = store;
  }

  /**
   * Notes that this node lives, and how long none did before.
   *
   * @return the time that counts, or empty if another node has the lock
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
   * The time that counts, without the lock and without a trace. Another node may be about to record
   * the silence that ends now, so that counts too. It is read before what is recorded: whatever the
   * other one commits in between is then counted twice, and not passed over.
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

  /** Forgets outages that no window reaches any more. */
  void forget(Connection connection, Instant endedBy) throws SQLException {
    store.forget(connection, endedBy);
  }
}
