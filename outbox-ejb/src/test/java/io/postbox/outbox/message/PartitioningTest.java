package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.time.UuidV7;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitioningTest {
  private static final UUID ID = new UUID(0x0123456789ab7cdeL, 0x8123456789abcdefL);

  /** Computed by another implementation (Python's zlib); a change would reorder stored messages. */
  @ParameterizedTest
  @CsvSource({
    "shipping, Order/1, 2004271967",
    "shipping, Order/2, 4001338085",
    "invoices, Order/1, 2660962057",
    "ship, ping, 1035253414",
    "lager-süd, Größe/✓, 225820936",
    "a, b, 367556721",
  })
  void theHashIsFixedBySpecification(String destination, String key, long crc) {
    for (int partitions : new int[] {1, 2, 7, 16, 1_000, 1_024}) {
      assertThat(new Partitioning(partitions).of(destination, key, ID))
          .as("%d partitions", partitions)
          .isEqualTo((int) (crc % partitions));
    }
  }

  @Test
  void theIdDoesNotMatterWhereThereIsAKey() {
    Partitioning partitioning = new Partitioning(16);
    assertThat(partitioning.of("d", "k", UUID.randomUUID()))
        .isEqualTo(partitioning.of("d", "k", UUID.randomUUID()));
  }

  @Test
  void withoutAKeyItDependsOnTheIdAlone() {
    Partitioning partitioning = new Partitioning(16);
    assertThat(partitioning.of("one", null, ID)).isEqualTo(partitioning.of("other", null, ID));
  }

  @Test
  void keysSpreadEvenly() {
    Partitioning partitioning = new Partitioning(16);
    assertEven(i -> partitioning.of("shipping", "Order/" + i, ID));
  }

  @Test
  void messagesWithoutAKeySpreadEvenly() {
    Partitioning partitioning = new Partitioning(16);
    UuidV7 ids = new UuidV7(InstantSource.system());
    assertEven(i -> partitioning.of("shipping", null, ids.next()));
  }

  @Test
  void idsOfOtherVersionsFindAPartitionToo() {
    Partitioning partitioning = new Partitioning(16);
    assertEven(i -> partitioning.of("shipping", null, UUID.randomUUID()));
    assertThat(partitioning.of("shipping", null, new UUID(0, 0))).isBetween(0, 15);
    assertThat(partitioning.of("shipping", null, new UUID(-1, -1))).isBetween(0, 15);
    assertThat(partitioning.of("shipping", null, new UUID(0, Long.MIN_VALUE))).isBetween(0, 15);
  }

  /** 16,000 values over 16 partitions: six standard deviations are about 184. */
  private static void assertEven(IntUnaryOperator partitionOf) {
    int[] counts = new int[16];
    for (int i = 0; i < 16_000; i++) {
      counts[partitionOf.applyAsInt(i)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(816, 1_184);
    }
  }
}
