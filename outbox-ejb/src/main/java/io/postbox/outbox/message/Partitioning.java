package io.postbox.outbox.message;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Spreads messages over partitions. With an ordering key: CRC-32 of the UTF-8 bytes of the
 * destination, a zero byte, and the key, modulo the number of partitions, so that every node and
 * every release gets the same result. Messages without an ordering key take the partitions in
 * turns, {@value #RUN} in a row the same one: messages of many transactions then share a pass of
 * the relay even while there is no backlog, and so its claim and its commits. Thread-safe.
 */
public final class Partitioning {
  /**
   * So few that a burst uses all partitions, and so many that they arrive during several passes.
   */
  static final int RUN = 32;

  private final int partitions;
  private final AtomicInteger turn = new AtomicInteger(ThreadLocalRandom.current().nextInt());

  /**
   * @param partitions their number, positive
   */
  public Partitioning(int partitions) {
    this.partitions = partitions;
  }

  /** The partition of a message. */
  public int of(String destination, @Nullable String orderingKey) {
    if (orderingKey == null) {
      return Math.floorMod(Math.floorDiv(turn.getAndIncrement(), RUN), partitions);
    }
    CRC32 hash = new CRC32();
    hash.update(destination.getBytes(StandardCharsets.UTF_8));
    hash.update(0);
    hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
    return (int) (hash.getValue() % partitions);
  }

  /** Their number. */
  public int partitions() {
    return partitions;
  }
}
