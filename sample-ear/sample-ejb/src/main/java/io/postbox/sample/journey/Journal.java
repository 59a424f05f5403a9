package io.postbox.sample.journey;

import io.postbox.inbox.MessageSkipped;
import io.postbox.outbox.MessageSent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * This node's record of the latest messages since its start, which no table keeps: when the relay
 * took a message that was sent and deleted, and which duplicates the inbox skipped. It observes the
 * events that Postbox fires, and forgets the oldest messages. Thread-safe.
 */
@ApplicationScoped
public class Journal {
  private static final int MESSAGES = 5_000;

  private final Map<String, Sendings> sent = new Latest<>();
  private final Map<String, Integer> skipped = new Latest<>();
  private final Map<String, UUID> byKey = new Latest<>();

  /**
   * How often a message was sent.
   *
   * @param first when the relay first read it for sending, by the database's clock
   * @param times how often it was sent
   */
  public record Sendings(Instant first, int times) {}

  void sent(@Observes MessageSent event) {
    Instant at = event.createdAt().plus(event.waited());
    synchronized (this) {
      sent.merge(
          event.id().toString(),
          new Sendings(at, 1),
          (known, again) -> new Sendings(known.first(), known.times() + 1));
      event.orderingKey().ifPresent(key -> byKey.put(event.destination() + " " + key, event.id()));
    }
  }

  void skipped(@Observes MessageSkipped event) {
    synchronized (this) {
      skipped.merge(event.messageId(), 1, Integer::sum);
    }
  }

  /** How often the message was sent; empty if this node did not send it. */
  synchronized Optional<Sendings> sendings(UUID id) {
    return Optional.ofNullable(sent.get(id.toString()));
  }

  /** How many deliveries of the message this node skipped. */
  synchronized int skips(UUID id) {
    return skipped.getOrDefault(id.toString(), 0);
  }

  /** The last message with this ordering key that this node sent there. */
  synchronized Optional<UUID> lastSent(String destination, String orderingKey) {
    return Optional.ofNullable(byKey.get(destination + " " + orderingKey));
  }

  private static final class Latest<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > MESSAGES;
    }
  }
}
