package io.postbox.outbox.payload;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.util.Optional;

/**
 * Resolves a payload that its row holds only as a reference (claim check) or encrypted.
 * Thread-safe.
 */
@FunctionalInterface
public interface PayloadResolver {

  /** Whether this message has to be resolved; if not, it is sent as it was read. */
  default boolean appliesTo(StoredMessage message) {
    return !(message.envelope().body() instanceof Body.Open);
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
   * @return the message as it is sent, its headers in the clear
   * @throws PayloadFailure if that fails: {@link PayloadFailure#ofMessage} if only this message is
   *     concerned, {@link PayloadFailure#ofSource} if any other would fail as well
   */
  Envelope resolve(StoredMessage message) throws PayloadFailure;
}
