package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens payloads on a thread of its own, so that the application's code for that, if it hangs,
 * costs the relay a thread, but not its hold on the partition. What was in hand when the time was
 * up is a suspect: it may be that message, or what all are loaded from. Each destination has so
 * many threads of its own, so that what hangs for one blocks no other. Where nothing is to be
 * opened, there is no thread. Thread-safe.
 */
final class BatchPayloadResolver {
  /** The claim is held meanwhile, and sending comes after: together less than stuck. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final PayloadResolver resolver;
  private final ExecutorService executor;
  private final Duration limit;
  private final int runningAtMost;
  private final Map<String, AtomicInteger> runningByDestination = new ConcurrentHashMap<>();
  private final Set<UUID> inWork = ConcurrentHashMap.newKeySet();

  BatchPayloadResolver(
      PayloadResolver resolver, ExecutorService executor, Duration sendTimeout, int workers) {
    this.resolver = resolver;
    this.executor = executor;
    limit = limit(sendTimeout);
    runningAtMost = runningAtMost(workers);
  }

  static Duration limit(Duration sendTimeout) {
    return sendTimeout.compareTo(LONGEST) < 0 ? sendTimeout : LONGEST;
  }

  /** One of each worker's own, and as many that hang. */
  static int runningAtMost(int workers) {
    return 2 * workers;
  }

  /**
   * @param messages to one destination, in order
   */
  ResolvedBatch open(List<StoredMessage> messages) {
    if (messages.stream().noneMatch(resolver::appliesTo)) {
      return ResolvedBatch.unchanged(messages);
    }
    AtomicInteger running =
        runningByDestination.computeIfAbsent(
            messages.get(0).destination(), destination -> new AtomicInteger());
    if (running.get() >= runningAtMost) {
      return ResolvedBatch.fault(
          "earlier loads of payloads or decryptions for this destination still hang, so nothing"
              + " more is opened for it until one ends");
    }
    long start = System.nanoTime();
    AtomicReference<StoredMessage> inHand = new AtomicReference<>();
    Future<ResolvedBatch> opening;
    try {
      opening =
          executor.submit(
              () -> {
                running.incrementAndGet();
                try {
                  return PayloadResolution.open(
                      messages, new OneByOne(inHand), () -> isInFirstHalf(start));
                } finally {
                  running.decrementAndGet();
                }
              });
    } catch (RejectedExecutionException stopped) { // the relay has: nobody is to blame
      return ResolvedBatch.unchanged(List.of());
    }
    try {
      return opening.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("payloads could not be opened: " + failed, failed.getCause());
    } catch (TimeoutException late) {
      opening.cancel(false);
      return tooLate(inHand.get());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      opening.cancel(false);
      return ResolvedBatch.fault("loading or decrypting its payload was interrupted");
    }
  }

  /** Notes what is in hand. */
  private final class OneByOne implements PayloadResolver {
    private final AtomicReference<StoredMessage> inHand;

    OneByOne(AtomicReference<StoredMessage> inHand) {
      this.inHand = inHand;
    }

    @Override
    public boolean appliesTo(StoredMessage message) {
      return resolver.appliesTo(message);
    }

    /** A payload whose earlier opening hangs is left to that one, or it would take every thread. */
    @Override
    public ResolvedPayload of(StoredMessage message) throws SendFailure {
      UUID id = message.envelope().id();
      if (!inWork.add(id)) {
        throw SendFailure.unknown("an earlier load or decryption of its payload still hangs", null);
      }
      try {
        inHand.set(message);
        return resolver.of(message);
      } finally {
        inWork.remove(id);
      }
    }
  }

  private ResolvedBatch tooLate(@Nullable StoredMessage inHand) {
    String late = " within " + limit.toMillis() + " ms";
    return inHand == null
        ? ResolvedBatch.fault("no thread was free to load or decrypt its payload" + late)
        : ResolvedBatch.suspect(inHand, "its payload could not be loaded or decrypted" + late);
  }

  /** One that begins in the second half would have too little time. */
  private boolean isInFirstHalf(long start) {
    return System.nanoTime() - start < limit.toNanos() / 2;
  }
}
