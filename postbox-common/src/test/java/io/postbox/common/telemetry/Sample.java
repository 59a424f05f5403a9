package io.postbox.common.telemetry;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;

/** A series of each kind. */
final class Sample {
  static final Meter DROPPED =
      Meter.of("outbox", "shop", "events_dropped", "Events dropped").with("destination", "a");
  static final Meter DROPPED_OF_B =
      Meter.of("outbox", "shop", "events_dropped", "Events dropped").with("destination", "b");
  static final Meter OLDEST =
      Meter.of("outbox", "shop", "oldest_pending", "Age of the oldest").in(Unit.SECONDS);
  static final Meter KEPT =
      Meter.of("inbox", "shop", "kept", "Size of what is kept").in(Unit.BYTES);
  static final Meter PENDING = Meter.of("outbox", "shop", "pending", "Messages that wait");
  static final Meter RELAY = Meter.of("outbox", "shop", "relay", "Time until sent");

  private Sample() {}
}
