package io.postbox.outbox.payload;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.StoredMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a payload that its row holds only as a reference (claim check) or encrypted.
 * Thread-safe.
 */
@FunctionalInterface
public interface PayloadResolver {

  /**
   * A payload as it is sent.
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

  /** Whether this message has to be resolved; if not, it is sent as it was read. */
  default boolean appliesTo(StoredMessage message) {
    Body body = message.envelope().body();
    return !(body instanceof Body.Text || body instanceof Body.Bytes);
  }

  /**
   * Names what this node lacks to resolve this message, which then waits for a node that has it: of
   * the same service, and perhaps of another release. Calls no code of the application.
   */
  default Optional<String> lacksFor(StoredMessage message) {
    return Optional.empty();
  }

  /**
   * Loads the payload that a row refers to, or decrypts the one that it holds.
   *
   * @throws PayloadFailure if that fails: {@link PayloadFailure#ofMessage} if only this message is
   *     concerned, {@link PayloadFailure#ofSource} if any other would fail as well
   */
  ResolvedPayload resolve(StoredMessage message) throws PayloadFailure;
}
