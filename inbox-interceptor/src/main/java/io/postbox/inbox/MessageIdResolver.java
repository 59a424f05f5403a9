package io.postbox.inbox;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * Finds an id that only the application can find, for instance in the body; for {@link
 * IdFrom#RESOLVER}. A CDI bean of the application; one instance serves all threads.
 *
 * <p>It runs in the delivery's transaction, before anything else, at every delivery of the message.
 * It must return the same id each time, and use only the message to find it. Do not read an object
 * message's body: that would deserialise it.
 */
public interface MessageIdResolver {

  /**
   * Finds the id.
   *
   * @param message the message, with its body at the start; the resolver need not reset it
   * @return 1 to 200 characters, none of them a control character; {@code null} if there is none,
   *     and then the message is quarantined
   * @throws JMSException if the provider cannot read the message now: it is rolled back and
   *     redelivered, as after a runtime exception caused by a {@code JMSException}, an {@code
   *     SQLException} or a network exception. After any other exception, for instance about a
   *     message of an unexpected kind or form ({@code MessageFormatException}, {@code
   *     MessageEOFException}, a parser's {@code IOException}), it is quarantined, because another
   *     attempt would fail in the same way.
   */
  @Nullable String resolve(Message message) throws JMSException;
}
