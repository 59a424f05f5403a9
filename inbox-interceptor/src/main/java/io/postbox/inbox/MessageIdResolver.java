package io.postbox.inbox;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * Returns the id of a message that only the application can find, for instance in its body; for
 * {@link IdFrom#RESOLVER}. A CDI bean of the application, of which one instance serves all threads.
 *
 * <p>It runs in the delivery's transaction, before anything else, and again whenever the message is
 * redelivered: it has to return the same id each time, from the message alone. Do not read an
 * object message's body: that would deserialise it.
 */
public interface MessageIdResolver {

  /**
   * Finds the id.
   *
   * @param message with its body at the start; need not be left so
   * @return 1 to 200 characters, none of them a control character; {@code null} if there is none:
   *     the message is quarantined then
   * @throws JMSException if the provider cannot read the message now: it is rolled back and
   *     redelivered, as after a runtime exception caused by a {@code JMSException}, an {@code
   *     SQLException} or a network exception. After any other exception, for instance about a
   *     message of an unexpected kind or form ({@code MessageFormatException}, {@code
   *     MessageEOFException}, a parser's {@code IOException}), it is quarantined, because another
   *     attempt would fail in the same way.
   */
  @Nullable String resolve(Message message) throws JMSException;
}
