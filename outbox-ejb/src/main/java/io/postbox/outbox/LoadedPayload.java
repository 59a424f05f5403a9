package io.postbox.outbox;

import io.postbox.common.OutboxProperties;
import java.util.Objects;

/** A payload that a {@link PayloadLoader} has loaded. */
public sealed interface LoadedPayload {

  /** The media type, sent as {@link OutboxProperties#CONTENT_TYPE}; 1 to 100 characters. */
  String contentType();

  /**
   * Characters, sent as a JMS {@code TextMessage}.
   *
   * @param contentType a media type
   * @param value the text
   */
  record Text(String contentType, String value) implements LoadedPayload {
    /** Refuses nulls. */
    public Text {
      Objects.requireNonNull(contentType, "content type");
      Objects.requireNonNull(value, "text");
    }
  }

  /**
   * Octets, sent as a JMS {@code BytesMessage}.
   *
   * @param contentType a media type
   * @param value the octets, not copied: do not change them
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  record Bytes(String contentType, byte[] value) implements LoadedPayload {
    /** Refuses nulls. */
    public Bytes {
      Objects.requireNonNull(contentType, "content type");
      Objects.requireNonNull(value, "octets");
    }
  }

  /** Text of the type {@code text/plain}. */
  static LoadedPayload text(String text) {
    return new Text("text/plain", text);
  }

  /** JSON text, unchanged. */
  static LoadedPayload json(String json) {
    return new Text("application/json", json);
  }

  /** Octets of the type {@code application/octet-stream}. */
  static LoadedPayload bytes(byte[] octets) {
    return new Bytes("application/octet-stream", octets);
  }
}
