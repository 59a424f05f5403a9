package io.postbox.outbox.message;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message's payload, as stored in its row. */
public sealed interface Body {
  /** The content type of octets; every other one of a stored payload is that of characters. */
  String OCTETS = "application/octet-stream";

  /** About how much memory it takes, in bytes. */
  long size();

  /** A payload as it is sent. */
  sealed interface Open extends Body {
    /** Its octets; those of characters are in UTF-8. */
    byte[] octets();
  }

  /** Characters. */
  record Text(String value) implements Open {
    @Override
    public long size() {
      return 2L * value.length();
    }

    @Override
    public byte[] octets() {
      return value.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Octets. */
  @SuppressWarnings("ArrayRecordComponent") // a payload is never compared nor changed
  record Bytes(byte[] value) implements Open {
    @Override
    public long size() {
      return value.length;
    }

    @Override
    public byte[] octets() {
      return value;
    }
  }

  /**
   * Characters or octets, as the content type says, encrypted.
   *
   * @param value the cipher text
   * @param key which key it takes
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload is never compared nor changed
  record Encrypted(byte[] value, String key) implements Body {
    @Override
    public long size() {
      return value.length;
    }
  }

  /**
   * Something to load when the message is sent.
   *
   * @param table the payload's table
   * @param id the payload's id in that table
   * @param sha256 of the payload when it was first loaded, once it was
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload is never compared nor changed
  record Reference(String table, String id, byte @Nullable [] sha256) implements Body {
    @Override
    public long size() {
      return 0;
    }
  }
}
