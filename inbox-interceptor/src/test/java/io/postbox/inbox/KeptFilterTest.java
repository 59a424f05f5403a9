package io.postbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.postbox.inbox.KeptFilter.Criterion;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeptFilterTest {
  private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant BEFORE = Instant.parse("2026-11-02T00:00:00Z");

  @Test
  void allThatWasSaidIsAskedFor() {
    KeptFilter filter =
        KeptFilter.all()
            .signature("5ef0")
            .errorContains("no stock")
            .aggregate("Order", 7)
            .event("OrderPlaced")
            .keptBefore(BEFORE)
            .keptFrom(FROM)
            .reason("REJECTED")
            .messageId("m-7")
            .consumer("shipping")
            .id(7);

    assertThat(filter.criteria())
        .containsExactly(
            entry(Criterion.IDS, Set.of(7L)),
            entry(Criterion.CONSUMER, "shipping"),
            entry(Criterion.MESSAGE_ID, "m-7"),
            entry(Criterion.REASON, "REJECTED"),
            entry(Criterion.KEPT_FROM, FROM),
            entry(Criterion.KEPT_BEFORE, BEFORE),
            entry(Criterion.EVENT_TYPE, "OrderPlaced"),
            entry(Criterion.AGGREGATE_TYPE, "Order"),
            entry(Criterion.AGGREGATE_ID, "7"),
            entry(Criterion.SIGNATURE, "5ef0"),
            entry(Criterion.ERROR_CONTAINS, "no stock"));
  }

  @Test
  void ofAQuarantinedMessageLessIsKnown() {
    assertThat(Arrays.stream(Criterion.values()).filter(Criterion::isKnownOfQuarantined))
        .containsExactly(
            Criterion.IDS,
            Criterion.CONSUMER,
            Criterion.MESSAGE_ID,
            Criterion.REASON,
            Criterion.KEPT_FROM,
            Criterion.KEPT_BEFORE);
  }

  @Test
  void aFilterNeverChanges() {
    KeptFilter all = KeptFilter.all();
    KeptFilter some = all.consumer("shipping");

    assertThat(all.criteria()).isEmpty();
    assertThat(some.consumer("billing")).isNotEqualTo(some);
    assertThat(some.criteria()).containsExactly(entry(Criterion.CONSUMER, "shipping"));
  }

  @Test
  void filtersForTheSameAreEqual() {
    KeptFilter filter = KeptFilter.all().consumer("shipping").reason("REJECTED");
    KeptFilter same = KeptFilter.all().reason("REJECTED").consumer("shipping");

    assertThat(filter).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(filter.hashCode()).isNotEqualTo(KeptFilter.all().hashCode());
    assertThat(filter).isNotEqualTo(KeptFilter.all()).isNotEqualTo(filter.toString());
  }

  @Test
  void itSaysWhatItAsksFor() {
    assertThat(KeptFilter.all()).hasToString("all");
    assertThat(KeptFilter.all().messageId("m-7").consumer("shipping"))
        .hasToString("consumer=shipping, message-id=m-7");
  }

  @Test
  void itTakesOneToAThousandIds() {
    assertThatThrownBy(() -> KeptFilter.all().ids(Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A filter takes 1 to 1000 ids, and not 0");
    assertThat(KeptFilter.all().ids(ids(1_000)).criteria()).containsKey(Criterion.IDS);
    assertThatThrownBy(() -> KeptFilter.all().ids(ids(1_001)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A filter takes 1 to 1000 ids, and not 1001");
  }

  @Test
  void nothingIsNoValue() {
    assertThatThrownBy(() -> KeptFilter.all().event(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("EVENT_TYPE");
  }

  private static List<Long> ids(int n) {
    return LongStream.range(0, n).boxed().toList();
  }
}
