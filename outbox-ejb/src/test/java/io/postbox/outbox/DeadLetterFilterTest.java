package io.postbox.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.postbox.outbox.DeadLetterFilter.Criterion;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DeadLetterFilterTest {
  private static final UUID ID = new UUID(0, 7);
  private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant BEFORE = Instant.parse("2026-11-02T00:00:00Z");

  @Test
  void allThatWasSaidIsAskedFor() {
    DeadLetterFilter filter =
        DeadLetterFilter.all()
            .enqueuedBefore(BEFORE)
            .enqueuedFrom(FROM)
            .errorContains("too large")
            .signature("5ef0")
            .orderedBy("Order:7")
            .aggregate("Order", 7)
            .event("OrderPlaced")
            .destination("shipping")
            .id(ID);

    assertThat(filter.criteria())
        .containsExactly(
            entry(Criterion.IDS, Set.of(ID)),
            entry(Criterion.DESTINATION, "shipping"),
            entry(Criterion.EVENT_TYPE, "OrderPlaced"),
            entry(Criterion.AGGREGATE_TYPE, "Order"),
            entry(Criterion.AGGREGATE_ID, "7"),
            entry(Criterion.ORDERING_KEY, "Order:7"),
            entry(Criterion.SIGNATURE, "5ef0"),
            entry(Criterion.ERROR_CONTAINS, "too large"),
            entry(Criterion.ENQUEUED_FROM, FROM),
            entry(Criterion.ENQUEUED_BEFORE, BEFORE));
  }

  @Test
  void aFilterNeverChanges() {
    DeadLetterFilter all = DeadLetterFilter.all();
    DeadLetterFilter some = all.destination("shipping");

    assertThat(all.criteria()).isEmpty();
    assertThat(some.destination("billing")).isNotEqualTo(some);
    assertThat(some.criteria()).containsExactly(entry(Criterion.DESTINATION, "shipping"));
  }

  @Test
  void filtersForTheSameAreEqual() {
    DeadLetterFilter filter = DeadLetterFilter.all().destination("shipping").event("OrderPlaced");
    DeadLetterFilter same = DeadLetterFilter.all().event("OrderPlaced").destination("shipping");

    assertThat(filter).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(filter.hashCode()).isNotEqualTo(DeadLetterFilter.all().hashCode());
    assertThat(filter).isNotEqualTo(DeadLetterFilter.all()).isNotEqualTo(filter.toString());
  }

  @Test
  void itSaysWhatItAsksFor() {
    assertThat(DeadLetterFilter.all()).hasToString("all");
    assertThat(DeadLetterFilter.all().event("OrderPlaced").destination("shipping"))
        .hasToString("destination=shipping, event-type=OrderPlaced");
  }

  @Test
  void itTakesOneToAThousandIds() {
    assertThatThrownBy(() -> DeadLetterFilter.all().ids(Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A filter takes 1 to 1000 ids, and not 0");
    assertThat(DeadLetterFilter.all().ids(ids(1_000)).criteria()).containsKey(Criterion.IDS);
    assertThatThrownBy(() -> DeadLetterFilter.all().ids(ids(1_001)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A filter takes 1 to 1000 ids, and not 1001");
  }

  @Test
  void nothingIsNoValue() {
    assertThatThrownBy(() -> DeadLetterFilter.all().event(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("EVENT_TYPE");
  }

  private static List<UUID> ids(int n) {
    return LongStream.range(0, n).mapToObj(i -> new UUID(0, i)).toList();
  }
}
