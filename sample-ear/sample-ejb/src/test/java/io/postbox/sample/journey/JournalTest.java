package io.postbox.sample.journey;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.outbox.MessageSent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final Journal journal = new Journal();

  @Test
  void aMessageWasSentWhenTheRelayFirstReadIt() {
    UUID id = UUID.randomUUID();

    journal.sent(sent(id, "shipping", "BOOK-1", NOON));
    journal.sent(sent(id, "shipping", "BOOK-1", NOON.plusSeconds(60)));

    assertThat(journal.sendings(id).orElseThrow().first()).isEqualTo(NOON.plusMillis(30));
    assertThat(journal.sendings(id).orElseThrow().times()).isEqualTo(2);
  }

  @Test
  void aReplyIsFoundByItsKeyAndDestination() {
    UUID reply = UUID.randomUUID();
    journal.sent(sent(UUID.randomUUID(), "shipping", "Order/7", NOON));
    journal.sent(sent(reply, "orders", "Order/7", NOON));
    journal.sent(sent(UUID.randomUUID(), "orders", "Order/8", NOON));
    assertThat(journal.lastSent("orders", "Order/7")).contains(reply);
    assertThat(journal.lastSent("orders", "Order/9")).isEmpty();
  }

  @Test
  void skippedDuplicatesAreCounted() {
    UUID id = UUID.randomUUID();
    journal.skipped(new MessageSkipped("shipping", id.toString(), Optional.empty(), Why.DUPLICATE));
    journal.skipped(new MessageSkipped("shipping", id.toString(), Optional.empty(), Why.DUPLICATE));
    assertThat(journal.skips(id)).isEqualTo(2);
    assertThat(journal.skips(UUID.randomUUID())).isZero();
  }

  @Test
  void theOldestMessagesAreForgotten() {
    UUID first = UUID.randomUUID();
    journal.sent(sent(first, "orders", "Order/0", NOON));
    for (int i = 1; i <= 5_000; i++) {
      journal.sent(sent(UUID.randomUUID(), "orders", "Order/" + i, NOON));
    }
    assertThat(journal.sendings(first)).isEmpty();
    assertThat(journal.lastSent("orders", "Order/0")).isEmpty();
    assertThat(journal.lastSent("orders", "Order/1")).isPresent();
  }

  private static MessageSent sent(UUID id, String destination, String key, Instant enqueued) {
    return new MessageSent(
        id, destination, Optional.empty(), Optional.of(key), 0, enqueued, Duration.ofMillis(30));
  }
}
