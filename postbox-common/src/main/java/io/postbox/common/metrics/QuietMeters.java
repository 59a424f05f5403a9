package io.postbox.common.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Keeps the exceptions of a metrics system from those who measure, for a missing number must not
 * cost a message. Only the first is reported, because the system may fail with every message.
 */
final class QuietMeters implements Meters {
  private final Meters meters;
  private final Consumer<Throwable> report;
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  QuietMeters(Meters meters, Consumer<Throwable> report) {
    this.meters = meters;
    this.report = report;
  }

  @Override
  public Counter counter(Meter meter) {
    Counter counter = get(() -> meters.counter(meter), NONE.counter(meter));
    return more -> run(() -> counter.add(more));
  }

  @Override
  public void gauge(Meter meter, DoubleSupplier value) {
    run(() -> meters.gauge(meter, value));
  }

  @Override
  public Timer timer(Meter meter) {
    Timer timer = get(() -> meters.timer(meter), NONE.timer(meter));
    return (Duration duration) -> run(() -> timer.record(duration));
  }

  @Override
  public void remove(Meter meter) {
    run(() -> meters.remove(meter));
  }

  @Override
  public void close() {
    run(meters::close);
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | LinkageError failed) { // nobody's message is to blame
      tell(failed);
    }
  }

  private <T> T get(Supplier<T> action, T otherwise) {
    try {
      return action.get();
    } catch (RuntimeException | LinkageError failed) { // nobody's message is to blame
      tell(failed);
      return otherwise;
    }
  }

  private void tell(Throwable failed) {
    if (hasFailed.compareAndSet(false, true)) {
      report.accept(failed);
    }
  }
}
