package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchivePeriodTest {
  private static final Instant NOW = Instant.parse("2026-11-29T23:59:59.999Z");

  private static ArchivePeriod period(String from, String until) {
    return new ArchivePeriod(LocalDate.parse(from), LocalDate.parse(until));
  }

  @Test
  void itsNameSaysWhatItIsFor() {
    ArchivePeriod day = period("2026-11-29", "2026-11-30");
    assertThat(day.table()).isEqualTo("outbox_archive_20261129_20261130");
    assertThat(ArchivePeriod.of(day.table())).contains(day);
    assertThat(ArchivePeriod.of("outbox_archive_somebodys")).isEmpty();
  }

  @Test
  void itIsOverWhenItsLastDayIs() {
    ArchivePeriod day = period("2026-11-29", "2026-11-30");
    assertThat(day.isBefore(NOW)).isFalse();
    assertThat(day.isBefore(Instant.parse("2026-11-30T00:00:00Z"))).isTrue();
  }

  @Test
  void thereIsOneForNowAndForTheNext() {
    assertThat(ArchivePeriod.missing(List.of(), NOW, ArchivePartitions.DAILY))
        .containsExactly(period("2026-11-29", "2026-11-30"), period("2026-11-30", "2026-12-01"));
    assertThat(ArchivePeriod.missing(List.of(), NOW, ArchivePartitions.MONTHLY))
        .containsExactly(period("2026-11-29", "2026-12-01"), period("2026-12-01", "2027-01-01"));
    assertThat(
            ArchivePeriod.missing(
                List.of(period("2026-11-29", "2026-11-30")), NOW, ArchivePartitions.DAILY))
        .containsExactly(period("2026-11-30", "2026-12-01"));
  }

  @Test
  void anotherSizeGoesOnWhereTheFirstOneEnds() {
    assertThat(
            ArchivePeriod.missing(
                List.of(period("2026-11-29", "2026-11-30")), NOW, ArchivePartitions.MONTHLY))
        .containsExactly(period("2026-11-30", "2026-12-01"), period("2026-12-01", "2027-01-01"));
    assertThat(
            ArchivePeriod.missing(
                List.of(period("2026-11-30", "2027-01-01")), NOW, ArchivePartitions.MONTHLY))
        .containsExactly(period("2026-11-29", "2026-11-30"));
  }

  @Test
  void dayByDayThereIsNeverAGapNorAnOverlap() {
    List<ArchivePeriod> there = new ArrayList<>();
    Instant now = NOW;
    for (int day = 0; day < 200; day++) {
      ArchivePartitions size =
          day / 20 % 2 == 0 ? ArchivePartitions.DAILY : ArchivePartitions.MONTHLY;
      there.addAll(ArchivePeriod.missing(there, now, size));
      now = now.plusSeconds(86_400);
    }
    for (int i = 1; i < there.size(); i++) {
      assertThat(there.get(i).from()).isEqualTo(there.get(i - 1).until());
    }
  }
}
