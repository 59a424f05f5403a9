package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.store.IdRange.Bounds;
import io.postbox.inbox.store.IdRange.Place;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdDayTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final IdDay TODAY = IdDay.of(NOON);

  /** An id as the outbox makes it, with the highest or lowest of its random bits. */
  static String id(Instant time, boolean highest) {
    long bits = highest ? 0x0fff : 0;
    return new UUID(
            time.toEpochMilli() << 16 | 0x7000 | bits,
            highest ? 0xbfffffffffffffffL : 0x8000000000000000L)
        .toString();
  }

  @Test
  void theNameOfATableTellsItsDay() {
    assertThat(TODAY.table()).isEqualTo("inbox_message_20261121");
    assertThat(IdDay.of("inbox_message_20261121")).contains(TODAY);
    assertThat(IdDay.of("inbox_message_20260230")).isEmpty();
    assertThat(IdDay.of("inbox_message_backup")).isEmpty();
    assertThat(IdDay.of("inbox_message")).isEmpty();
  }

  @Test
  void everyIdOfADayAndNoOtherLiesBetweenItsFirstAndThatOfTheNext() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      Instant time = Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L));
      String id = id(time, random.nextBoolean());
      IdDay day = IdDay.of(time);
      assertThat(id).isGreaterThanOrEqualTo(day.firstId()).isLessThan(day.plus(1).firstId());
    }
    Instant midnight = Instant.parse("2026-11-21T00:00:00Z");
    assertThat(id(midnight, false)).isGreaterThanOrEqualTo(TODAY.firstId());
    assertThat(id(midnight.minusMillis(1), true)).isLessThan(TODAY.firstId());
    assertThat(new IdDay(LocalDate.EPOCH).firstId()).isEqualTo("00000000-0000");
  }

  @Test
  void aRangeThatNobodyLimitedTakesEveryId() {
    assertThat(new IdRange().of("ID:whatever")).isEqualTo(Place.STORABLE);
  }

  @Test
  void aRangeTellsWhyItHasNoPlace() {
    IdRange range = new IdRange();
    range.limit(new Bounds(TODAY.plus(-7).firstId(), TODAY.plus(8).firstId(), true));

    assertThat(range.of(id(NOON, true))).isEqualTo(Place.STORABLE);
    assertThat(range.of(id(NOON.minus(Duration.ofDays(8)), true))).isEqualTo(Place.TOO_OLD);
    assertThat(range.of(id(NOON.plus(Duration.ofDays(8)), false)))
        .isEqualTo(Place.NOT_TIME_ORDERED);
    assertThat(range.of(UUID.randomUUID().toString())).isEqualTo(Place.NOT_TIME_ORDERED);
    assertThat(range.of(id(NOON, true).toUpperCase(Locale.ROOT))).isEqualTo(Place.NOT_TIME_ORDERED);
    assertThat(range.of(id(NOON, true) + "x")).isEqualTo(Place.NOT_TIME_ORDERED);

    range.limit(new Bounds(TODAY.plus(-7).firstId(), TODAY.firstId(), false));
    assertThat(range.of(id(NOON, true))).as("our own fault").isEqualTo(Place.NOT_READY);
  }
}
