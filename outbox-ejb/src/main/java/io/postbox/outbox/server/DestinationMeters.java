package io.postbox.outbox.server;

import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.relay.RelayListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's metrics in a metric registry. A destination gets its own series when it first
 * occurs. An emptied destination shows zero, and loses its series after a day unless it is listed.
 * Names may come from user input, so only a limited number of unlisted destinations have series of
 * their own; the others share one. Thread-safe.
 */
final class DestinationMeters implements RelayListener {

  /** The number of unlisted destinations with series of their own. */
  static final int MOST = 100;

  /** The tag of the shared series. */
  static final String OTHER = "other";

  private static final Duration IDLE = Duration.ofDays(1);
  private static final List<String> SERIES =
      List.of(
          "pending",
          "held",
          "delayed",
          "dead_letters",
          "oldest_pending_seconds",
          "breaker_open",
          "paused",
          "enqueued",
          "relayed",
          "attempts_failed",
          "relay");

  /** The counters, increased with each event. */
  private record Meters(
      Counter enqueued,
      Counter relayed,
      Counter attemptsFailed,
      Timer relay,
      AtomicReference<Instant> heard) {}

  private final MetricRegistry registry;
  private final Tag service;
  private final Destinations destinations;
  private final NodeGauges gauges;
  private final Map<String, Meters> known = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private @Nullable Meters others;
  private int unlisted;
  private final Total refused;
  private final Total eventsDropped;

  /**
   * @param registry the application's registry
   * @param service the owner of the tables
   * @param destinations the configured ones; listed destinations have their series from the start
   * @param gauges the values of the gauges
   * @param clock finds destinations that have not occurred for long
   */
  DestinationMeters(
      MetricRegistry registry,
      String service,
      Destinations destinations,
      NodeGauges gauges,
      InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    this.destinations = destinations;
    this.service = new Tag("service", service);
    this.gauges = gauges;
    gauge(
        "partitions_stuck",
        "Partitions of the outbox with messages to send whose lock is held by a session that does not send them, as this node sees it",
        gauges::stuckPartitions);
    gauge(
        "backlog_warning",
        "1 while more messages wait in the outbox than postbox.outbox.backlog.warn-count or warn-age"
            + " allow, else 0",
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
    gauge(
        "slot_lag_bytes",
        "Bytes of the database's log that the outbox's connector has not confirmed; 0 where nodes relay",
        () -> gauges.slot().lag());
    gauge(
        "findings",
        "Findings of the outbox's guarantee check when this node started (OBX0040)",
        gauges::findings);
    refused =
        new Total(
            registry.counter(
                metadata(
                    "refused",
                    "Calls of enqueue that this node refused because too many messages wait in the outbox"),
                this.service),
            gauges::refusals);
    eventsDropped =
        new Total(
            registry.counter(
                metadata(
                    "events_dropped",
                    "CDI events of the outbox that this node dropped because an observer was too slow"),
                this.service),
            gauges::eventsDropped);
    destinations.listed().forEach(this::metersOf);
  }

  /** Increases a counter to a number that is counted elsewhere. */
  private record Total(Counter counter, LongSupplier number) {
    synchronized void update() {
      counter.inc(number.getAsLong() - counter.getCount());
    }
  }

  @Override
  public void enqueued(String destination, int messages) {
    if (destinations.has(destination)) {
      metersOf(destination).enqueued().inc(messages);
    }
  }

  @Override
  public void sent(StoredMessage message) {
    if (destinations.has(message.destination())) {
      Meters meters = metersOf(message.destination());
      meters.relayed().inc();
      meters.relay().update(message.waited());
    }
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    if (destinations.has(message.destination())) {
      metersOf(message.destination()).attemptsFailed().inc();
    }
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    // counted in the table, because a dead letter stays
  }

  @Override
  public void polled() {
    Snapshot last = gauges.last();
    last.byDestination().keySet().stream().filter(destinations::has).forEach(this::metersOf);
    last.paused().keySet().stream()
        .filter(name -> !name.equals("*") && destinations.has(name))
        .forEach(this::metersOf);
    removeIdle(last);
    refused.update();
    eventsDropped.update();
  }

  private Meters metersOf(String destination) {
    Meters found = known.get(destination);
    Meters meters = found == null ? registered(destination) : found;
    meters.heard().set(clock.instant());
    return meters;
  }

  private synchronized Meters registered(String destination) {
    Meters found = known.get(destination);
    if (found != null) {
      return found;
    }
    boolean listed = destinations.listed().contains(destination);
    if (!listed && (destination.equals(OTHER) || unlisted == MOST)) {
      return others();
    }
    Meters made = register(destination);
    known.put(destination, made);
    unlisted += listed ? 0 : 1;
    return made;
  }

  private synchronized Meters others() {
    Meters made = others;
    if (made == null) {
      made = register(OTHER);
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
      known.remove(name);
      unlisted--;
      Tag[] tags = tags(name);
      SERIES.forEach(each -> registry.remove(new MetricID("postbox_outbox_" + each, tags)));
    }
  }

  private Tag[] tags(String destination) {
    return new Tag[] {service, new Tag("destination", destination)};
  }

  /** The destinations without a series, for the shared tag. */
  private Stream<String> namesBehind(String tag) {
    return known.containsKey(tag) || !tag.equals(OTHER)
        ? Stream.of(tag)
        : Stream.concat(
                gauges.last().byDestination().keySet().stream(),
                gauges.last().paused().keySet().stream())
            .filter(name -> !known.containsKey(name) && destinations.has(name));
  }

  private DestinationStatistics statistics(String tag) {
    return namesBehind(tag)
        .distinct()
        .map(gauges.last()::of)
        .reduce(DestinationStatistics.none(tag), DestinationStatistics::plus);
  }

  private Meters register(String destination) {
    Tag[] tags = tags(destination);
    counted(
        "pending",
        "Messages in the outbox to this destination that could be sent now, held and retried ones"
            + " included; the same on every node",
        tags,
        DestinationStatistics::pending);
    counted(
        "held",
        "Messages in the outbox to this destination that wait behind one of their ordering key that"
            + " failed; the same on every node",
        tags,
        DestinationStatistics::held);
    counted(
        "delayed",
        "Messages in the outbox to this destination whose notBefore has not come; the same on every"
            + " node",
        tags,
        DestinationStatistics::delayed);
    counted(
        "dead_letters",
        "Messages to this destination that used up their attempts or expired, and wait in the outbox"
            + " for a person; the same on every node",
        tags,
        DestinationStatistics::dead);
    counted(
        "oldest_pending_seconds",
        "How long the oldest message in the outbox to this destination has waited since it could be"
            + " sent; the same on every node",
        tags,
        it -> it.oldestPending().toMillis() / 1_000.0);
    gauge(
        "breaker_open",
        "1 while this node's outbox sends nothing to this destination because sending there fails, else"
            + " 0",
        () -> namesBehind(destination).anyMatch(gauges::isBreakerOpen) ? 1 : 0,
        tags);
    gauge(
        "paused",
        "1 while sending from the outbox to this destination is paused, else 0",
        () -> namesBehind(destination).anyMatch(gauges.last()::isPaused) ? 1 : 0,
        tags);
    return new Meters(
        registry.counter(
            metadata(
                "enqueued",
                "Messages to this destination that this node has enqueued in transactions that"
                    + " committed"),
            tags),
        registry.counter(
            metadata(
                "relayed", "Messages that this node has sent from the outbox to this destination"),
            tags),
        registry.counter(
            metadata(
                "attempts_failed",
                "Attempts of this node to send a message from the outbox to this destination that failed and"
                    + " were counted"),
            tags),
        registry.timer(
            metadata(
                "relay",
                "Time from enqueue to being read for sending to this destination, by the database's clock; of"
                    + " messages that this node has sent"),
            tags),
        new AtomicReference<>(clock.instant()));
  }

  private void counted(
      String name, String description, Tag[] tags, ToDoubleFunction<DestinationStatistics> value) {
    String destination = tags[1].getTagValue();
    gauge(name, description, () -> value.applyAsDouble(statistics(destination)), tags);
  }

  private void gauge(String name, String description, DoubleSupplier value) {
    gauge(name, description, value, service);
  }

  private void gauge(String name, String description, DoubleSupplier value, Tag... tags) {
    registry.gauge(metadata(name, description), value::getAsDouble, tags);
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_outbox_" + name)
        .withDescription(description)
        .build();
  }
}
