package io.postbox.inbox;

import io.postbox.inbox.InboxRequest.Origin;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcome of each message of a batch. Immutable and thread-safe.
 *
 * @param items one for each message, in the batch's order
 * @param <T> the handler's result
 */
public record InboxBatchOutcome<T>(List<Item<T>> items) {

  /** Keeps a copy. */
  public InboxBatchOutcome {
    items = List.copyOf(items);
  }

  /**
   * The outcome of one message.
   *
   * @param <T> the handler's result
   */
  public sealed interface Item<T> {
    /** The message. */
    InboxRequest request();
  }

  /**
   * The message is completed and its transaction has committed: acknowledge it.
   *
   * @param request the message
   * @param outcome its outcome
   * @param <T> the handler's result
   */
  public record Done<T>(InboxRequest request, InboxOutcome<T> outcome) implements Item<T> {}

  /**
   * The message's transaction has rolled back: bring it again.
   *
   * @param request the message
   * @param failure its handler's exception; or a {@link RetryLaterException} of the inbox, if it
   *     cannot be handled yet; or an {@link InboxException}
   * @param delay when to bring it again: sooner, the inbox may refuse it with a {@link
   *     RetryLaterException}. Zero if it will be parked then.
   * @param <T> the handler's result
   */
  public record Failed<T>(InboxRequest request, Throwable failure, Duration delay)
      implements Item<T> {}

  /**
   * The message was not looked at: bring it again.
   *
   * @param request the message
   * @param reason why
   * @param <T> the handler's result
   */
  public record NotHandled<T>(InboxRequest request, Reason reason) implements Item<T> {}

  /** Why a message was not looked at. */
  public enum Reason {
    /** One before it failed that has to be handled first; see {@link BatchOrder}. */
    BEHIND_A_FAILURE,
    /**
     * Handling stopped after a failure, because the inbox's database does not answer, the
     * application stops, or the thread was interrupted, which it still is.
     */
    STOPPED
  }

  /**
   * A partition of a topic.
   *
   * @param topic the topic
   * @param number the partition's number
   */
  public record Partition(String topic, int number) implements Comparable<Partition> {
    private static final Comparator<Partition> ORDER =
        Comparator.comparing(Partition::topic).thenComparingInt(Partition::number);

    @Override
    public int compareTo(Partition other) {
      return ORDER.compare(this, other);
    }
  }

  /** Whether all messages are completed. */
  public boolean isDone() {
    return items.stream().allMatch(Done.class::isInstance);
  }

  /** The completed messages, in order. */
  public List<Done<T>> done() {
    return items.stream().filter(Done.class::isInstance).map(item -> (Done<T>) item).toList();
  }

  /** The messages that failed, in order. */
  public List<Failed<T>> failed() {
    return items.stream().filter(Failed.class::isInstance).map(item -> (Failed<T>) item).toList();
  }

  /** The messages that were not looked at, in order. */
  public List<NotHandled<T>> notHandled() {
    return items.stream()
        .filter(NotHandled.class::isInstance)
        .map(item -> (NotHandled<T>) item)
        .toList();
  }

  /**
   * The last offset of each partition up to which all of the batch's messages are completed. A
   * consumer of Kafka commits the offset behind it. A partition whose first message is not
   * completed has none; nor has a message without partition and offset.
   */
  public SortedMap<Partition, Long> doneUpTo() {
    Map<Partition, Long> open = retryFrom();
    SortedMap<Partition, Long> last = new TreeMap<>();
    for (Item<T> item : items) {
      Place place = place(item).orElse(null);
      if (place != null && place.offset < open.getOrDefault(place.partition, Long.MAX_VALUE)) {
        last.merge(place.partition, place.offset, Math::max);
      }
    }
    return Collections.unmodifiableSortedMap(last);
  }

  /**
   * The first offset of each partition that is not completed, if there is one. A consumer of Kafka
   * seeks it, because its next poll would go on behind the batch.
   */
  public SortedMap<Partition, Long> retryFrom() {
    SortedMap<Partition, Long> first = new TreeMap<>();
    for (Item<T> item : items) {
      if (!(item instanceof Done)) {
        place(item).ifPresent(it -> first.merge(it.partition, it.offset, Math::min));
      }
    }
    return Collections.unmodifiableSortedMap(first);
  }

  /**
   * When to bring again what is not completed: the shortest delay of the messages that failed;
   * empty if none did.
   */
  public Optional<Duration> retryAfter() {
    return failed().stream().map(Failed::delay).min(Comparator.naturalOrder());
  }

  private record Place(Partition partition, long offset) {}

  private static Optional<Place> place(Item<?> item) {
    Origin origin = item.request().origin().orElse(null);
    return origin == null || origin.partition().isEmpty() || origin.offset().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Place(
                new Partition(origin.name(), origin.partition().getAsInt()),
                origin.offset().getAsLong()));
  }
}
