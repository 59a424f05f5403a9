package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitioningTest {

  @Test
  void keysSpreadEvenly() {
    Partitioning partitioning = new Partitioning(16);
    assertEven(i -> partitioning.of("shipping", "Order/" + i));
  }

  @Test
  void messagesWithoutAKeyTakeThePartitionsInTurns() {
    Partitioning partitioning = new Partitioning(3);
    List<Integer> taken =
        IntStream.range(0, 6 * Partitioning.RUN)
            .mapToObj(i -> partitioning.of(i % 2 == 0 ? "shipping" : "invoices", null))
            .toList();
    int others = (int) taken.stream().takeWhile(taken.get(0)::equals).count();
    for (int i = others; i + Partitioning.RUN < taken.size(); i += Partitioning.RUN) {
      assertThat(taken.subList(i, i + Partitioning.RUN)).containsOnly((taken.get(i - 1) + 1) % 3);
    }
    assertThat(others).isBetween(1, Partitioning.RUN);
  }

  @Test
  void messagesWithoutAKeySpreadEvenly() {
    Partitioning partitioning = new Partitioning(16);
    assertEven(i -> partitioning.of("shipping", null));
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
