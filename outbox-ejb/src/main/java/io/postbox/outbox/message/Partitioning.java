package io.postbox.outbox.message;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Spreads messages over partitions. With an ordering key: CRC-32 of the UTF-8 bytes of the
 * destination, a zero byte, and the key, modulo the number of partitions, so that every node and
 * every release gets the same result. Without an ordering key it uses the id, which spreads evenly.
 *
 * @param partitions their number, positive
 */
public record Partitioning(int partitions) {

  /** The partition of a message. */
  public int of(String destination, @Nullable String orderingKey, UUID id) {
    if (orderingKey == null) {
      return Math.floorMod(Long.hashCode(id.getLeastSignificantBits()), partitions);
    }
    CRC32 hash = new CRC32();
    hash.update(destination.getBytes(StandardCharsets.UTF_8));
    hash.update(0);
    hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
    return (int) (hash.getValue() % partitions);
  }
}
