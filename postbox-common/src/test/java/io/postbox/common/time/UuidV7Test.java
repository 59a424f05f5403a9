package io.postbox.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Test {

  @Test
  void itHasVersionSevenAndTheVariantOfTheStandard() {
    UuidV7 ids = new UuidV7(InstantSource.system());
    for (int i = 0; i < 1_000; i++) {
      UUID id = ids.next();
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
    }
  }

  @Test
  void itsFirstFortyEightBitsAreTheTime() {
    for (long millis : new long[] {0, 1, 1_763_683_247_123L, (1L << 47) + 5, (1L << 48) - 1}) {
      UUID id = new UuidV7(InstantSource.fixed(Instant.ofEpochMilli(millis))).next();
      assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(millis);
    }
  }

  @Test
  void manyOfOneMillisecondDifferInBothHalves() {
    UuidV7 ids = new UuidV7(InstantSource.fixed(Instant.ofEpochMilli(1)));
    Set<UUID> all = new HashSet<>();
    Set<Long> high = new HashSet<>();
    Set<Long> low = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      UUID id = ids.next();
      all.add(id);
      high.add(id.getMostSignificantBits());
      low.add(id.getLeastSignificantBits());
    }
    assertThat(all).hasSize(10_000);
    assertThat(low).hasSize(10_000);
    assertThat(high).as("12 random bits: 4096 values").hasSizeGreaterThan(3_000);
  }
}
