package io.postbox.outbox.relay;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.StoredMessage;
import org.jspecify.annotations.Nullable;

/** Gets payloads that a row does not hold in the form in which they travel. Thread-safe. */
@FunctionalInterface
public interface PayloadResolver {

  /**
   * A payload as it travels.
   *
   * @param type its media type
   * @param body characters or octets
   * @param headers as JSON, in the clear; nothing if the row's own are
   */
  record ResolvedPayload(String type, Body body, @Nullable String headers) {
    /** With the headers that the row has. */
    public ResolvedPayload(String type, Body body) {
      this(type, body, null);
    }
  }

  /** Whether it has to be asked for this message; if not, that can be sent as it was read. */
  default boolean appliesTo(StoredMessage message) {
    Body body = message.envelope().body();
    return !(body instanceof Body.Text || body instanceof Body.Bytes);
  }

  /**
   * Loads what a row refers to, or decrypts what it holds.
   *
   * @throws SendFailure if that fails: {@link SendFailure#ofMessage} if only this message is
   *     concerned, {@link SendFailure#ofDestination} if it would be the same with any other
   */
  ResolvedPayload of(StoredMessage message) throws SendFailure;
}
