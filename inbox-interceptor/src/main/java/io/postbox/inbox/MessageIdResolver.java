package io.postbox.inbox;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of a message where only the application knows to look, for instance in its body; for
 * {@link IdFrom#RESOLVER}. A CDI bean of the application, of which one instance serves all threads.
 *
 * <p>It runs in the delivery's transaction, before anything else, and again whenever the message is
 * redelivered: it has to find the same id each time, in the message and nowhere else. An object
 * message is better left alone: to look into it is to deserialise it.
 */
public interface MessageIdResolver {

  /**
   * Finds the id.
   *
   * @param message with its body at the start; need not be left so
   * @return 1 to 200 characters, none of them a control character; {@code null} if there is none:
   *     the message is quarantined then
   * @throws JMSException if the provider cannot read the message now: it is rolled back and comes
   *     again, as it is after a runtime exception that such a one, an {@code SQLException} or an
   *     exception of the network's has caused. After anything else, a message of another kind or
   *     form than expected among it ({@code MessageFormatException}, {@code MessageEOFException}, a
   *     parser's {@code IOException}), it is quarantined, because nothing else would come of
   *     another try.
   */
  @Nullable String resolve(Message message) throws JMSException;
}
