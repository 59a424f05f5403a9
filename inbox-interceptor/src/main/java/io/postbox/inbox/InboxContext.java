package io.postbox.inbox;

import java.util.Optional;

/**
 * Gives a handler access to the message that it handles. Inject it wherever the handler's code
 * needs it: it works on the handler's thread from the call to the return, in all code that the
 * handler calls, and is thread-safe. If one handler calls another guarded one, the inner one's
 * message is the current one until the inner one returns.
 *
 * <p>Every method throws an {@link IllegalStateException} if no handler runs on the thread.
 */
public interface InboxContext {

  /** The consumer whose handler runs. */
  String consumer();

  /** The id of the message: 1 to 200 characters. */
  String messageId();

  /** The number of the attempt, from 1: one more than the recorded failures that are charged. */
  int attempt();

  /** The type of the event that the message reports, such as {@code OrderPlaced}. */
  Optional<String> eventType();

  /**
   * The version of the body's schema, as its sender stated it ({@code OutboxSchemaVersion}): for a
   * handler that reads an old version as another class.
   */
  Optional<String> schemaVersion();

  /**
   * The body as an object, read by the server's JSON-B from a text, or from octets as UTF-8.
   * Properties that the class does not have are ignored, so that the sender may add some.
   *
   * <p>The content type ({@code OutboxContentType}; for a message without JMS also its header
   * {@code content-type}) decides whether that is tried: it is JSON, or says nothing of the form,
   * as {@code text/plain}, {@code application/octet-stream} and a missing one do.
   *
   * <p>The body is read from the JMS message anew at each call, and a message of octets is back at
   * its first one afterwards.
   *
   * @param type the object's class
   * @throws RejectedMessageException if the body is neither text nor octets, has another content
   *     type, or is not the JSON of such an object; it names the message, both of these, the schema
   *     version and the class. The message is parked, unless the handler catches this.
   * @throws IllegalStateException also if the server has no JSON-B
   */
  <T> T payload(Class<T> type);

  /**
   * A key for an effect outside of the inbox's database, to be passed to the called system: the
   * same for every delivery of this message to this consumer, on every node, after every restart,
   * and another one for any other service, consumer, message or effect.
   *
   * <p>It is a UUID of version 8, in canonical form: the first 16 bytes of the SHA-256 over
   * service, consumer, message id and effect, each as UTF-8 behind its length in bytes as a
   * big-endian {@code int}, with the bits for version and variant that RFC 9562 requires. This form
   * does not change.
   *
   * @param effect the name of the effect, 1 to 200 characters, none of them a control character
   * @throws IllegalArgumentException if the name is not valid
   */
  String idempotencyKey(String effect);

  /**
   * Sets the handler's reply; it replaces an earlier one. It is stored in the handler's
   * transaction, and sent to the message's {@code JMSReplyTo}, if it has one, as a text message;
   * when the message is redelivered, the same reply is sent again, and the handler does not run.
   *
   * @param value up to 1 MiB of UTF-8, without the character 0
   * @throws IllegalArgumentException if it is longer, or not every database can store it
   */
  void result(String value);

  /**
   * Makes a call to an outside system, unless its result is recorded for this message already, and
   * returns the result. The result is recorded in a short transaction of its own, so that a handler
   * that is rolled back afterwards does not repeat the call.
   *
   * <p>The handler's transaction is suspended meanwhile: the call's writes to a database commit or
   * fail by themselves, like its effects in an outside system. <strong>The call can be made more
   * than once</strong>: when the process dies, or the database is lost, between the call and the
   * record of its result. So pass the key to a system that can recognise it. The result is kept as
   * long as the message's id.
   *
   * <p>Each call may need one more connection of the inbox's data source, while the handler keeps
   * its own: the pool must be larger than the number of handlers that run at once.
   *
   * @param effect the name of the effect, as for {@link #idempotencyKey}
   * @param call makes the outside call; not called if a result is recorded
   * @param <X> the call's exception
   * @return the call's result, from now or from the record
   * @throws X any exception of the call; then nothing is recorded
   * @throws IllegalArgumentException if the effect's name is not valid
   * @throws RejectedMessageException if the call was made, now or before, and returned what cannot
   *     be stored. That is recorded, and the call is not made again, also after a redrive.
   * @throws InboxException if the result cannot be read or recorded; the text says whether the call
   *     was made. Do not catch it, so that the message is redelivered.
   */
  <X extends Exception> String once(String effect, OutsideCall<X> call) throws X;

  /**
   * A call to an outside system.
   *
   * @param <X> its exception
   */
  @FunctionalInterface
  interface OutsideCall<X extends Exception> {

    /**
     * Makes the call.
     *
     * @param idempotencyKey the {@link InboxContext#idempotencyKey} of the effect
     * @return the part of the answer that a later attempt needs, for instance the other system's
     *     id: up to 1 MiB of UTF-8 without the character 0, or an empty text
     * @throws X if the call was not made
     */
    String make(String idempotencyKey) throws X;
  }
}
