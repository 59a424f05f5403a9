package io.postbox.inbox.interceptor;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.Platforms;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.work.WorkQueue;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This node's workers, by consumer: those that handle captured messages, and those that release
 * messages in the order of versions. They begin once the application has started, because before
 * that its names cannot be looked up, and what it does at its start is not done. One that is
 * missing is started again. Thread-safe.
 */
@ApplicationScoped
public class WorkQueues implements WakeUp {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** After so many rounds in which the application has not started, a line says so. */
  static final int SLOW_START = 180;

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;

  private final Map<String, Workers> captured = new ConcurrentHashMap<>();
  private final Map<String, Workers> released = new ConcurrentHashMap<>();
  private @Nullable PeriodicTask rounds;
  private volatile boolean haveBegun;
  private int roundsBefore;

  /** Adds the workers for a consumer's captured messages. */
  void addCaptured(String consumer, Workers workers) {
    captured.put(consumer, workers);
    startRounds();
  }

  /** Adds the workers for a consumer's messages that are released in the order of versions. */
  public void addReleased(String consumer, Workers workers) {
    released.put(consumer, workers);
    startRounds();
  }

  synchronized void startRounds() {
    if (rounds == null) {
      rounds =
          PeriodicTask.start(
              "postbox-inbox-workers " + database.config().service(),
              PAUSE,
              () -> round(haveBegun || Platforms.here().hasStarted(deployment.applicationName())));
    }
  }

  /** Starts what is missing, if the application has started. */
  void round(boolean hasStarted) {
    if (hasStarted) {
      all().forEach(Workers::startMissing);
      haveBegun = true;
    } else if (++roundsBefore == SLOW_START) {
      WatchLog.workersWaitForStart(
          deployment.applicationName(), PAUSE.multipliedBy(roundsBefore), numbers().keySet());
    }
  }

  private Stream<Workers> all() {
    return Stream.concat(captured.values().stream(), released.values().stream());
  }

  @Override
  public void captured(String consumer) {
    wake(captured.get(consumer));
  }

  @Override
  public void delayed(String consumer, Duration delay) {
    Workers workers = captured.getOrDefault(consumer, released.get(consumer));
    if (workers != null) {
      workers.queue().lookWithin(delay);
    }
  }

  @Override
  public void released(String consumer) {
    wake(released.get(consumer));
  }

  private static void wake(@Nullable Workers workers) {
    if (workers != null) {
      workers.queue().wake();
    }
  }

  /** How many workers there are of each consumer that has any. */
  public SortedMap<String, Workers.Strength> numbers() {
    SortedMap<String, Workers.Strength> numbers = new TreeMap<>();
    for (Map<String, Workers> all : List.of(captured, released)) {
      all.forEach(
          (consumer, each) -> numbers.merge(consumer, each.number(), Workers.Strength::and));
    }
    return numbers;
  }

  /** A finding if any do not run that have been started, as all are once the application has. */
  public Optional<Finding> finding() {
    if (!haveBegun) {
      return Optional.empty();
    }
    SortedMap<String, Workers.Strength> numbers = numbers();
    numbers.values().removeIf(number -> !number.isShort());
    return numbers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "workers-missing",
                "Threads that handle captured messages or release versions do not run, so these wait for the other threads, or for another node: %s. The inbox tries to start them every second; IBX0240 says why it cannot."
                    .formatted(
                        numbers.entrySet().stream()
                            .map(
                                each ->
                                    "%s %s of %s"
                                        .formatted(
                                            each.getKey(),
                                            each.getValue().alive(),
                                            each.getValue().configured()))
                            .collect(Collectors.joining(", ")))));
  }

  /** The queues of captured messages, by consumer. */
  List<WorkQueue> ofCaptured() {
    return captured.values().stream().map(Workers::queue).toList();
  }

  @PreDestroy
  void stop() {
    PeriodicTask running;
    synchronized (this) {
      running = rounds;
    }
    if (running != null) {
      running.stop(PATIENCE);
    }
  }
}
