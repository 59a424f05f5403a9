package io.postbox.inbox.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;

/** Makes the keys that {@link io.postbox.inbox.InboxContext#idempotencyKey} promises. */
final class IdempotencyKey {
  private static final long VERSION_8 = 0x8000L;
  private static final long RFC_VARIANT = 0x8000_0000_0000_0000L;

  private IdempotencyKey() {}

  static String of(String service, String consumer, String messageId, String effect) {
    MessageDigest digest = sha256();
    for (String part : List.of(service, consumer, messageId, effect)) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    long most = hash.getLong();
    long least = hash.getLong();
    return new UUID((most & ~0xF000L) | VERSION_8, (least & ~(0b11L << 62)) | RFC_VARIANT)
        .toString();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
