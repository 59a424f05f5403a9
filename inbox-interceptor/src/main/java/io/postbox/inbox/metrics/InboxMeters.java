package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.Meters.Counter;
import io.postbox.common.metrics.Meters.Timer;
import io.postbox.inbox.MessageCaptured;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.store.CountStore.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of the inbox. Each counter and timer is looked up only once, because a registry
 * searches all its metrics; gauges show the last count. Thread-safe.
 */
public final class InboxMeters implements InboxListener, CountListener {
  private static final Map<Class<? extends MessageEvent>, Counted> COUNTED =
      Map.of(
          MessageProcessed.class,
              new Counted(
                  "processed",
                  "Messages that this consumer has handled on this node, in transactions that"
                      + " committed"),
          MessageSkipped.class,
              new Counted(
                  "skipped",
                  "Deliveries to this consumer that this node acknowledged without handling them,"
                      + " by reason"),
          MessageQuarantined.class,
              new Counted(
                  "quarantined", "Deliveries to this consumer that this node has quarantined"),
          MessageFailed.class,
              new Counted(
                  "failures",
                  "Deliveries to this consumer that were rolled back on this node, and are"
                      + " redelivered"),
          MessageCaptured.class,
              new Counted(
                  "captured",
                  "Messages for this consumer that this node has stored to be handled later"),
          ReplyRefused.class,
              new Counted(
                  "replies_refused",
                  "Replies of this consumer that this node did not send to the requested"
                      + " destination"));

  /** A metric that counts events. */
  private record Counted(String name, String description) {}

  /** A counter; only skipped messages have a reason. */
  private record Key(String consumer, Class<? extends MessageEvent> event, @Nullable Why why) {}

  private record Timers(Timer handler, Timer age) {}

  private final Meters meters;
  private final String service;
  private final Predicate<String> isFull;
  private final Predicate<String> isCaptureFull;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Map<RequestOutcome, Counter>> requests = new ConcurrentHashMap<>();
  private final Map<String, Timers> timers = new ConcurrentHashMap<>();
  private final Set<String> shown = ConcurrentHashMap.newKeySet();
  private final Set<String> shownCaptured = ConcurrentHashMap.newKeySet();
  private volatile KeptCounts last = KeptCounts.NOTHING;

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param consumers the consumers that have their series from the start
   * @param isFull whether a consumer has reached its quota; called at each scrape, so it must be
   *     cheap
   * @param capturing the consumers that capture their messages
   * @param isCaptureFull whether as many captured messages of a consumer wait as may; called at
   *     each scrape
   */
  public InboxMeters(
      Meters meters,
      String service,
      Set<String> consumers,
      Predicate<String> isFull,
      Set<String> capturing,
      Predicate<String> isCaptureFull) {
    this.meters = meters;
    this.service = service;
    this.isFull = isFull;
    this.isCaptureFull = isCaptureFull;
    for (String consumer : consumers) {
      COUNTED.keySet().stream()
          .filter(event -> event != MessageSkipped.class)
          .forEach(event -> counter(new Key(consumer, event, null)));
      for (Why why : Why.values()) {
        counter(new Key(consumer, MessageSkipped.class, why));
      }
      known(timers, consumer, this::timers);
      show(consumer);
    }
    capturing.forEach(this::showCaptured);
  }

  /** {@link MessageParked Parked} messages are counted in the table, because they stay. */
  @Override
  public void happened(MessageEvent event) {
    if (COUNTED.containsKey(event.getClass())) {
      Why why = event instanceof MessageSkipped skipped ? skipped.why() : null;
      counter(new Key(event.consumer(), event.getClass(), why)).add(1);
    }
  }

  private Counter counter(Key key) {
    return known(counters, key, this::registered);
  }

  private Counter registered(Key key) {
    Counted counted = Objects.requireNonNull(COUNTED.get(key.event()));
    Meter meter = meter(key.consumer(), counted.name(), counted.description());
    Why why = key.why();
    return meters.counter(why == null ? meter : meter.with("reason", tag(why).replace('_', '-')));
  }

  /**
   * Counts a request for an idempotent method that has its response. A consumer has all counters of
   * requests from its first request on.
   */
  public void answered(String consumer, RequestOutcome outcome) {
    Objects.requireNonNull(known(requests, consumer, this::requests).get(outcome)).add(1);
  }

  private Map<RequestOutcome, Counter> requests(String consumer) {
    Map<RequestOutcome, Counter> all = new EnumMap<>(RequestOutcome.class);
    Meter requests =
        meter(
            consumer,
            "requests",
            "Requests for idempotent methods of this consumer that this node answered, by outcome");
    for (RequestOutcome outcome : RequestOutcome.values()) {
      all.put(outcome, meters.counter(requests.with("outcome", tag(outcome))));
    }
    return all;
  }

  @Override
  public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
    Timers known = known(timers, consumer, this::timers);
    known.handler().record(took);
    if (age != null) {
      known.age().record(age);
    }
  }

  private Timers timers(String consumer) {
    return new Timers(
        meters.timer(
            meter(
                consumer,
                "handler",
                "Time that this consumer's handler took for a message on this node, whether it"
                    + " returned or threw")),
        meters.timer(
            meter(
                consumer,
                "age",
                "Time from enqueue, by the sender's database, until this consumer's handler"
                    + " returned, by this node's clock; of messages from an outbox")));
  }

  /**
   * Registers gauges also for consumers whose messages were kept aside before this node started.
   */
  @Override
  public void counted(KeptCounts counts) {
    last = counts;
    counts.consumers(Set.of(Kind.PARKED, Kind.QUARANTINED, Kind.HANDED_BACK)).forEach(this::show);
    counts.capturing().forEach(this::showCaptured);
  }

  private void show(String consumer) {
    if (shown.add(consumer)) {
      showOf(
          consumer,
          "parked",
          "Messages that this consumer's handler could not handle, and that wait for an"
              + " operator; the same on every node",
          () -> last.of(Kind.PARKED, consumer));
      showOf(
          consumer,
          "quarantined_messages",
          "Messages for this consumer without a usable id, or with a known id and other"
              + " content, that wait for an operator; the same on every node",
          () -> last.of(Kind.QUARANTINED, consumer));
      showOf(
          consumer,
          "handed_back",
          "Messages that go back to this consumer's queue: a copy is on its way, or a retry is"
              + " not due yet; the same on every node",
          () -> last.of(Kind.HANDED_BACK, consumer));
      meters.gauge(
          meter(
                  consumer,
                  "kept",
                  "How many bytes this consumer's parked and quarantined messages have; the same on"
                      + " every node")
              .in(Unit.BYTES),
          () -> last.of(KeptCounts.KEPT, consumer).bytes());
      showOf(
          consumer,
          "quota_full",
          "1 while this consumer has reached its quota of kept messages or of aggregates, else"
              + " 0; the same on every node within seconds",
          () -> isFull.test(consumer) ? 1 : 0);
    }
  }

  private void showCaptured(String consumer) {
    if (shownCaptured.add(consumer)) {
      for (Kind kind : List.of(Kind.PENDING, Kind.DELAYED, Kind.HELD, Kind.PARKED)) {
        meters.gauge(
            meter(
                    consumer,
                    "captured_messages",
                    "Captured messages that this consumer's handler has not handled, by status; the"
                        + " same on every node")
                .with("status", tag(kind)),
            () -> last.of(kind, consumer));
      }
      meters.gauge(
          meter(
                  consumer,
                  "oldest_captured",
                  "How long ago the oldest of this consumer's captured messages that are pending,"
                      + " delayed or held was captured, or 0; the same on every node")
              .in(Unit.SECONDS),
          () -> last.oldestOf(consumer).toMillis() / 1000.0);
      showOf(
          consumer,
          "capture_full",
          "1 while as many captured messages of this consumer wait as may, else 0; the same on"
              + " every node within seconds",
          () -> isCaptureFull.test(consumer) ? 1 : 0);
      showOf(
          consumer,
          "handling_paused",
          "1 while an operator has paused the handling of this consumer's captured messages,"
              + " else 0; the same on every node",
          () -> last.of(Kind.PAUSED, consumer));
    }
  }

  /**
   * Publishes a number.
   *
   * @param name the part after {@code postbox_inbox_}
   * @param value called at each scrape, so it must be cheap and without side effects
   */
  public void show(String name, String description, DoubleSupplier value) {
    meters.gauge(Meter.of("inbox", service, name, description), value);
  }

  /** The same for a number of a consumer. */
  public void showOf(String consumer, String name, String description, DoubleSupplier value) {
    meters.gauge(meter(consumer, name, description), value);
  }

  private static String tag(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Meter meter(String consumer, String name, String description) {
    return Meter.of("inbox", service, name, description).with("consumer", consumer);
  }

  private static <K, V> V known(Map<K, V> all, K key, Function<K, V> register) {
    V found = all.get(key); // without the lock that computeIfAbsent may take
    return found != null ? found : all.computeIfAbsent(key, register);
  }
}
