package io.postbox.outbox.message;

import org.jspecify.annotations.Nullable;

/** A message's payload, as stored in its row. */
public sealed interface Body {
  /** The content type of octets; every other one of a stored payload is that of characters. */
  String OCTETS = "application/octet-stream";

  /** About how much memory it takes, in bytes. */
  long size();

  /** Characters. */
  record Text(String value) implements Body {
    @Override
    public long size() {
      return 2L * value.length();
    }
  }

  /** Octets. */
  @SuppressWarnings("ArrayRecordComponent") // a payload is never compared nor changed
  record Bytes(byte[] value) implements Body {
    @Override
    public long size() {
      return value.length;
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
