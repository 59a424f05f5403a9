package io.postbox.inbox.message;

import io.postbox.common.text.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;

/** Makes UUIDs of version 8 (RFC 9562) from texts: the same texts always give the same UUID. */
public final class DerivedUuid {
  private static final long VERSION_8 = 0x8000L;
  private static final long RFC_VARIANT = 0x8000_0000_0000_0000L;

  private DerivedUuid() {}

  /** The UUID of these texts in this order. */
  public static UUID of(String... texts) {
    MessageDigest digest = Digests.sha256();
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    long most = hash.getLong();
    long least = hash.getLong();
    return new UUID((most & ~0xF000L) | VERSION_8, (least & ~(0b11L << 62)) | RFC_VARIANT);
  }
}
