package io.postbox.inbox.ops;

import io.postbox.common.log.Throttle;
import io.postbox.common.ops.LoggedOnce;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.OrderLog;
import io.postbox.inbox.ops.Gaps.Overdue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Reports gaps in the order of versions that do not close within their limit. Each node looks every
 * 15 seconds, in one statement for each consumer with version order, and a few more if there are
 * any. Called by one thread; any may read its findings.
 */
public final class GapWatch {
  /** Where the count of a consumer's gaps stops. */
  public static final int MOST = 1_000;

  private static final Duration PAUSE = Duration.ofSeconds(15);

  private final Look look;
  private final Map<String, VersionOrder> ordered;
  private final Map<String, Throttle> lines = new TreeMap<>();
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Map<String, Integer> overdue = new ConcurrentHashMap<>();
  private Instant next = Instant.MIN;
  private final LoggedOnce log = new LoggedOnce(OrderLog::gapsNotRead, () -> {});

  /** Looks for gaps of a consumer that are older than an age. */
  @FunctionalInterface
  public interface Look {
    /** How many there are, and the oldest. */
    Overdue at(String consumer, Duration age, int most) throws SQLException;
  }

  /**
   * @param look looks for gaps
   * @param config knows which consumers have version order, and how long a version may be missing
   * @param clock the node's clock, which never goes back
   * @param nanos the time in nanoseconds, from any origin
   */
  public GapWatch(Look look, InboxConfig config, InstantSource clock, LongSupplier nanos) {
    this.look = look;
    this.clock = clock;
    this.nanos = nanos;
    ordered = config.orders();
  }

  /** Looks, if it is time to. A failure is logged once, and what was found before is kept. */
  public void look() {
    if (ordered.isEmpty() || clock.instant().isBefore(next)) {
      return;
    }
    next = clock.instant().plus(PAUSE);
    try {
      for (Map.Entry<String, VersionOrder> each : ordered.entrySet()) {
        look(each.getKey(), each.getValue());
      }
      log.works();
    } catch (SQLException | RuntimeException failed) {
      log.failed(failed);
    }
  }

  private void look(String consumer, VersionOrder order) throws SQLException {
    Overdue found = look.at(consumer, order.longestGap(), MOST);
    overdue.put(consumer, found.number());
    found
        .oldest()
        .ifPresent(
            gap ->
                lines
                    .computeIfAbsent(consumer, first -> new Throttle(nanos))
                    .tell(times -> OrderLog.gap(gap, found.number(), order.longestGap())));
  }

  /** The consumers with version order, and how many of their gaps are older than their limit. */
  public Map<String, Integer> overdue() {
    Map<String, Integer> all = new TreeMap<>();
    ordered.keySet().forEach(consumer -> all.put(consumer, overdue.getOrDefault(consumer, 0)));
    return all;
  }
}
