package io.postbox.common.time;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/** Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, 74 random bits. Thread-safe. */
public final class UuidV7 {
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  public UuidV7(InstantSource clock) {
    this.clock = clock;
  }

  /** When an id was made, if it is such a UUID in its usual form. */
  public static Optional<Instant> timeOf(String id) {
    try {
      UUID uuid = UUID.fromString(id);
      return uuid.version() == 7
          ? Optional.of(Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16))
          : Optional.empty();
    } catch (IllegalArgumentException another) {
      return Optional.empty();
    }
  }

  public UUID next() {
    long high = clock.millis() << 16 | 0x7000 | random.nextInt(1 << 12);
    long low = random.nextLong() >>> 2 | 1L << 63;
    return new UUID(high, low);
  }
}
