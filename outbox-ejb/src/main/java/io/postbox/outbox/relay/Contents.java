package io.postbox.outbox.relay;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.StoredMessage;

/** Gets payloads that a row does not hold in the form in which they travel. Thread-safe. */
@FunctionalInterface
public interface Contents {

  /**
   * A payload as it travels.
   *
   * @param type its media type
   * @param body characters or octets
   */
  record Content(String type, Body body) {}

  /**
   * Loads what a row refers to, or decrypts what it holds.
   *
   * @throws SendFailure if that fails: {@link SendFailure#ofMessage} if only this message is
   *     concerned, {@link SendFailure#ofDestination} if it would be the same with any other
   */
  Content of(StoredMessage message) throws SendFailure;
}
