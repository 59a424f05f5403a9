package io.postbox.outbox.payload;

import io.postbox.common.config.Durations;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Resolves payloads within a time limit, by {@link ApplicationCalls}. The message in work when the
 * time is up is a suspect: it may be at fault, or the source of all; only its destination is
 * charged with a thread that hangs, whatever else is in the batch. A batch that needs no resolving
 * takes no thread. Thread-safe.
 */
public final class BatchPayloadResolver {
  /** The claim is held meanwhile, and sending comes after: together less than stuck. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final PayloadResolver resolver;
  private final ApplicationCalls calls;
  private final Duration limit;
  private final Set<UUID> inWork = ConcurrentHashMap.newKeySet();

  /**
   * @param resolver resolves one payload
   * @param calls runs the application's code
   * @param sendTimeout how long a batch may take to send; resolving it takes no longer
   */
  public BatchPayloadResolver(
      PayloadResolver resolver, ApplicationCalls calls, Duration sendTimeout) {
    this.resolver = resolver;
    this.calls = calls;
    limit = limit(sendTimeout);
  }

  /** How long one batch may take, while its claim is held. */
  public static Duration limit(Duration sendTimeout) {
    return Durations.shorter(sendTimeout, LONGEST);
  }

  /** Names what this node lacks to resolve a message's payload. */
  public Optional<String> lacksFor(StoredMessage message) {
    return resolver.lacksFor(message);
  }

  /**
   * Resolves the payloads of one batch within the limit.
   *
   * @param messages in the order of their keys, to one destination or several
   */
  public ResolvedBatch resolve(List<StoredMessage> messages) {
    if (messages.stream().noneMatch(resolver::appliesTo)) {
      return ResolvedBatch.unchanged(messages);
    }
    long start = System.nanoTime();
    AtomicReference<StoredMessage> inHand = new AtomicReference<>();
    try {
      return calls.call(
          limit,
          () ->
              PayloadResolution.resolve(
                  messages,
                  new OneByOne(inHand, isToOneDestination(messages)),
                  () -> isInFirstHalf(start)));
    } catch (RejectedExecutionException stopped) { // the relay has stopped: no message is at fault
      return ResolvedBatch.unchanged(List.of());
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("payloads could not be opened: " + failed, failed.getCause());
    } catch (TimeoutException late) {
      return tooLate(inHand.get());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return ResolvedBatch.fault("loading or decrypting its payload was interrupted");
    }
  }

  private static boolean isToOneDestination(List<StoredMessage> messages) {
    return messages.stream().map(StoredMessage::destination).distinct().count() == 1;
  }

  /** Notes the message in work. */
  private final class OneByOne implements PayloadResolver {
    private final AtomicReference<StoredMessage> inHand;
    private final boolean alone;

    /**
     * @param alone whether there is one destination, so that its fault is that of the batch; a lane
     *     of several that was not opened gets a pass of its own
     */
    OneByOne(AtomicReference<StoredMessage> inHand, boolean alone) {
      this.inHand = inHand;
      this.alone = alone;
    }

    @Override
    public boolean appliesTo(StoredMessage message) {
      return resolver.appliesTo(message);
    }

    @Override
    public Envelope resolve(StoredMessage message) throws PayloadFailure {
      try {
        return calls.counted(message.destination(), () -> once(message));
      } catch (ApplicationCalls.AllHang hanging) {
        throw allHang(hanging);
      } catch (PayloadFailure | RuntimeException failed) {
        throw failed;
      } catch (Exception undeclared) {
        throw new IllegalStateException(undeclared);
      }
    }

    /**
     * A payload whose earlier resolution hangs is not begun again, or it would take every thread.
     */
    private Envelope once(StoredMessage message) throws PayloadFailure {
      UUID id = message.envelope().id();
      if (!inWork.add(id)) {
        throw PayloadFailure.unknown("an earlier load or decryption of its payload still hangs");
      }
      try {
        inHand.set(message);
        return resolver.resolve(message);
      } finally {
        inWork.remove(id);
      }
    }

    private PayloadFailure allHang(ApplicationCalls.AllHang hanging) {
      String why =
          "earlier loads of payloads or decryptions for this destination still hang, so nothing"
              + " more is opened for it until one ends";
      return alone ? PayloadFailure.ofSource(why, hanging) : PayloadFailure.ofNode(why, hanging);
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
