package io.postbox.outbox.server;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.Meters.Counter;
import io.postbox.common.metrics.Meters.Timer;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.relay.RelayListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's metrics. A destination gets its own series when it first occurs. An emptied
 * destination shows zero, and loses its series after a day unless it is listed. Names may come from
 * user input, so only a limited number of unlisted destinations have series of their own; the
 * others share one. Thread-safe.
 */
final class DestinationMeters implements RelayListener {

  /** The number of unlisted destinations with series of their own. */
  static final int MOST = 100;

  /** The tag of the shared series. */
  static final String OTHER = "other";

  private static final Duration IDLE = Duration.ofDays(1);

  /** A destination's series, and when it last occurred. */
  private record Destination(
      Counter enqueued,
      Counter relayed,
      Counter attemptsFailed,
      Timer relay,
      List<Meter> all,
      AtomicReference<Instant> heard) {}

  private final Meters meters;
  private final String service;
  private final Destinations destinations;
  private final NodeGauges gauges;
  private final Map<String, Destination> known = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private @Nullable Destination others;
  private int unlisted;
  private final Total refused;
  private final Total eventsDropped;

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param destinations the configured ones; listed destinations have their series from the start
   * @param gauges the values of the gauges
   * @param clock finds destinations that have not occurred for long
   */
  DestinationMeters(
      Meters meters,
      String service,
      Destinations destinations,
      NodeGauges gauges,
      InstantSource clock) {
    this.meters = meters;
    this.clock = clock;
    this.destinations = destinations;
    this.service = service;
    this.gauges = gauges;
    gauge(
        "partitions_stuck",
        "Partitions of the outbox with messages to send whose lock is held by a session that does"
            + " not send them, as this node sees it",
        gauges::stuckPartitions);
    gauge(
        "backlog_warning",
        "1 while more messages wait in the outbox than postbox.outbox.backlog.warn-count or"
            + " warn-age allow, else 0",
        () -> gauges.isBacklogHigh() ? 1 : 0);
    gauge(
        "backlog_full",
        "1 while this node refuses to enqueue because too many messages wait in the outbox, else 0",
        () -> gauges.isBacklogFull() ? 1 : 0);
    gauge(
        "slot_missing",
        "1 while the outbox fails to enqueue because no replication slot carries its messages to a"
            + " connector, else 0",
        () -> gauges.slot().isMissing() ? 1 : 0);
    meters.gauge(
        meter(
                "slot_lag",
                "Bytes of the database's log that the outbox's connector has not confirmed; 0 where"
                    + " nodes relay")
            .in(Unit.BYTES),
        () -> gauges.slot().lag());
    gauge(
        "findings",
        "Findings of the outbox's guarantee check when this node started (OBX0040)",
        gauges::findings);
    refused =
        new Total(
            meters.counter(
                meter(
                    "refused",
                    "Calls of enqueue that this node refused because too many messages wait in the"
                        + " outbox")),
            gauges::refusals);
    eventsDropped =
        new Total(
            meters.counter(
                meter(
                    "events_dropped",
                    "CDI events of the outbox that this node dropped because an observer was too"
                        + " slow")),
            gauges::eventsDropped);
    destinations.listed().forEach(this::metersOf);
  }

  /** Increases a counter to a number that is counted elsewhere. */
  private static final class Total {
    private final Counter counter;
    private final LongSupplier number;
    private long last;

    Total(Counter counter, LongSupplier number) {
      this.counter = counter;
      this.number = number;
    }

    synchronized void update() {
      long now = number.getAsLong();
      counter.add(now - last);
      last = now;
    }
  }

  @Override
  public void enqueued(String destination, int messages) {
    if (destinations.has(destination)) {
      metersOf(destination).enqueued().add(messages);
    }
  }

  @Override
  public void sent(StoredMessage message) {
    if (destinations.has(message.destination())) {
      Destination destination = metersOf(message.destination());
      destination.relayed().add(1);
      destination.relay().record(message.waited());
    }
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    if (destinations.has(message.destination())) {
      metersOf(message.destination()).attemptsFailed().add(1);
    }
  }

  @Override
  public void polled() {
    Snapshot last = gauges.last();
    last.byDestination().keySet().stream().filter(destinations::has).forEach(this::metersOf);
    last.paused().stream()
        .filter(name -> !name.equals("*") && destinations.has(name))
        .forEach(this::metersOf);
    removeIdle(last);
    refused.update();
    eventsDropped.update();
  }

  private Destination metersOf(String name) {
    Destination found = known.get(name);
    Destination destination = found == null ? registered(name) : found;
    destination.heard().set(clock.instant());
    return destination;
  }

  private synchronized Destination registered(String name) {
    Destination found = known.get(name);
    if (found != null) {
      return found;
    }
    boolean listed = destinations.listed().contains(name);
    if (!listed && (name.equals(OTHER) || unlisted == MOST)) {
      return others();
    }
    Destination made = new Series(name).register();
    known.put(name, made);
    unlisted += listed ? 0 : 1;
    return made;
  }

  private synchronized Destination others() {
    Destination made = others;
    if (made == null) {
      made = new Series(OTHER).register();
      others = made;
    }
    return made;
  }

  /** The destinations unused for a day and without messages. */
  private synchronized void removeIdle(Snapshot last) {
    Instant before = clock.instant().minus(IDLE);
    List<String> idle =
        known.entrySet().stream()
            .filter(each -> each.getValue().heard().get().isBefore(before))
            .map(Map.Entry::getKey)
            .filter(name -> !destinations.listed().contains(name))
            .filter(name -> !last.byDestination().containsKey(name))
            .toList();
    for (String name : idle) {
      Destination removed = known.remove(name);
      unlisted--;
      removed.all().forEach(meters::remove);
    }
  }

  /** The destinations without a series, for the shared tag. */
  private Stream<String> namesBehind(String tag) {
    return known.containsKey(tag) || !tag.equals(OTHER)
        ? Stream.of(tag)
        : Stream.concat(
                gauges.last().byDestination().keySet().stream(), gauges.last().paused().stream())
            .filter(name -> !known.containsKey(name) && destinations.has(name));
  }

  private DestinationStatistics statistics(String tag) {
    return namesBehind(tag)
        .distinct()
        .map(gauges.last()::of)
        .reduce(DestinationStatistics.none(tag), DestinationStatistics::plus);
  }

  private void gauge(String name, String description, DoubleSupplier value) {
    meters.gauge(meter(name, description), value);
  }

  private Meter meter(String name, String description) {
    return Meter.of("outbox", service, name, description);
  }

  /** Makes the series of one tag. Used by one thread. */
  private final class Series {
    private final String tag;
    private final List<Meter> all = new ArrayList<>();

    Series(String tag) {
      this.tag = tag;
    }

    Destination register() {
      counted(
          meter(
              "pending",
              "Messages in the outbox to this destination that could be sent now, held and retried"
                  + " ones included; the same on every node"),
          DestinationStatistics::pending);
      counted(
          meter(
              "held",
              "Messages in the outbox to this destination that wait behind one of their ordering"
                  + " key that failed; the same on every node"),
          DestinationStatistics::held);
      counted(
          meter(
              "delayed",
              "Messages in the outbox to this destination whose notBefore has not come; the same on"
                  + " every node"),
          DestinationStatistics::delayed);
      counted(
          meter(
              "dead_letters",
              "Messages to this destination that used up their attempts or expired, and wait in the"
                  + " outbox for a person; the same on every node"),
          DestinationStatistics::dead);
      counted(
          meter(
                  "oldest_pending",
                  "How long the oldest message in the outbox to this destination has waited since"
                      + " it could be sent; the same on every node")
              .in(Unit.SECONDS),
          it -> it.oldestPending().toMillis() / 1_000.0);
      shown(
          meter(
              "breaker_open",
              "1 while this node's outbox sends nothing to this destination because sending there"
                  + " fails, else 0"),
          () -> namesBehind(tag).anyMatch(gauges::isBreakerOpen) ? 1 : 0);
      shown(
          meter("paused", "1 while sending from the outbox to this destination is paused, else 0"),
          () -> namesBehind(tag).anyMatch(gauges.last()::isPaused) ? 1 : 0);
      return new Destination(
          counter(
              meter(
                  "enqueued",
                  "Messages to this destination that this node has enqueued in transactions that"
                      + " committed")),
          counter(
              meter(
                  "relayed",
                  "Messages that this node has sent from the outbox to this destination")),
          counter(
              meter(
                  "attempts_failed",
                  "Attempts of this node to send a message from the outbox to this destination that"
                      + " failed and were counted")),
          meters.timer(
              tagged(
                  meter(
                      "relay",
                      "Time from enqueue to being read for sending to this destination, by the"
                          + " database's clock; of messages that this node has sent"))),
          all,
          new AtomicReference<>(clock.instant()));
    }

    private void counted(Meter meter, ToDoubleFunction<DestinationStatistics> value) {
      shown(meter, () -> value.applyAsDouble(statistics(tag)));
    }

    private void shown(Meter meter, DoubleSupplier value) {
      meters.gauge(tagged(meter), value);
    }

    private Counter counter(Meter meter) {
      return meters.counter(tagged(meter));
    }

    private Meter tagged(Meter meter) {
      Meter ofDestination = meter.with("destination", tag);
      all.add(ofDestination);
      return ofDestination;
    }
  }
}
