package io.postbox.inbox.receiver;

import io.postbox.inbox.BatchOrder;
import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxBatchOutcome.NotHandled;
import io.postbox.inbox.InboxBatchOutcome.Reason;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxRequest.Origin;
import io.postbox.inbox.config.ConsumerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/** Handles or stores a batch, and leaves the messages that must not overtake one that failed. */
public final class Batch {
  private Batch() {}

  /** Handles one message, and reports its failure instead of throwing it. */
  @FunctionalInterface
  public interface One<T> {
    Item<T> handle(InboxRequest request);
  }

  /**
   * Handles messages one after another.
   *
   * @param order which messages are left behind one that failed
   * @param one handles one message
   * @param mustStop asked after each failure
   */
  public static <T> InboxBatchOutcome<T> handle(
      List<InboxRequest> requests, BatchOrder order, One<T> one, BooleanSupplier mustStop) {
    List<Item<T>> items = new ArrayList<>(requests.size());
    Set<List<Object>> failed = new HashSet<>();
    boolean stopped = false;
    for (InboxRequest request : requests) {
      Optional<List<Object>> sequence = sequence(request, order);
      if (sequence.filter(failed::contains).isPresent()) {
        items.add(new NotHandled<>(request, Reason.BEHIND_A_FAILURE));
      } else if (stopped) {
        items.add(new NotHandled<>(request, Reason.STOPPED));
      } else {
        Item<T> item = one.handle(request);
        items.add(item);
        if (item instanceof Failed) {
          sequence.ifPresent(failed::add);
          stopped = mustStop.getAsBoolean();
        }
      }
    }
    return new InboxBatchOutcome<>(items);
  }

  /**
   * Stores messages together, or if that fails one after another.
   *
   * @param together stores all or none of them
   * @param one stores one message
   * @param failed reports a failure of a message, without trying it
   * @param mustStop asked after each failure
   */
  public static <T> InboxBatchOutcome<T> store(
      List<InboxRequest> requests,
      Callable<List<InboxOutcome<T>>> together,
      One<T> one,
      BiFunction<InboxRequest, Throwable, Item<T>> failed,
      BooleanSupplier mustStop) {
    One<T> each = one;
    if (requests.size() > 1) { // of a single one, the failure would only be repeated
      try {
        return done(requests, together.call());
      } catch (Throwable failure) {
        if (mustStop.getAsBoolean()) {
          each = request -> failed.apply(request, failure);
        }
      }
    }
    return handle(requests, BatchOrder.BY_KEY, each, mustStop);
  }

  private static <T> InboxBatchOutcome<T> done(
      List<InboxRequest> requests, List<InboxOutcome<T>> outcomes) {
    List<Item<T>> items = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      items.add(new Done<>(requests.get(i), outcomes.get(i)));
    }
    return new InboxBatchOutcome<>(items);
  }

  /**
   * When to bring a failed message again, so that the inbox handles or parks it.
   *
   * @param config its consumer's
   * @param attempt the number of the attempt that failed, or 0 if its handler did not run
   * @param failure the exception that it failed with
   */
  public static Duration delay(ConsumerConfig config, int attempt, Throwable failure) {
    FailureClassifier.Classification why = FailureClassifier.classify(failure);
    if (why.pause() != null) {
      return why.pause();
    }
    return switch (why.kind()) {
      case REJECTED -> Duration.ZERO;
      case FAILED -> attempt >= config.maxAttempts() ? Duration.ZERO : longest(config, attempt);
      default -> longest(config, attempt);
    };
  }

  private static Duration longest(ConsumerConfig config, int attempt) {
    return config.backoff().ceiling(Math.max(1, attempt));
  }

  /** The messages among which a message keeps its place; empty if it has none. */
  private static Optional<List<Object>> sequence(InboxRequest request, BatchOrder order) {
    String topic = request.origin().map(Origin::name).orElse("");
    return switch (order) {
      case BY_PARTITION ->
          Optional.of(
              List.of(topic, request.origin().map(it -> it.partition().orElse(-1)).orElse(-1)));
      case BY_KEY ->
          request
              .orderingKey()
              .<List<Object>>map(key -> List.of(request.consumer(), topic, key))
              .or(
                  () ->
                      request
                          .aggregate()
                          .map(it -> List.of(request.consumer(), topic, it.type(), it.id())));
    };
  }
}
