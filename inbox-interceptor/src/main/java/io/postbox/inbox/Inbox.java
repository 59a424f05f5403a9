package io.postbox.inbox;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Remembers which messages a message-driven bean has handled, so that one that is redelivered is
 * skipped and acknowledged.
 *
 * <p>Put it on the class of the bean or on its {@code onMessage}. Every method with a single
 * parameter of the type {@code jakarta.jms.Message} (or a type of message) is guarded, and no
 * other; where there is none, the deployment is refused. It works on any bean that the container
 * makes, in one of two modes, which the log tells at start:
 *
 * <ul>
 *   <li>within the transaction that there is, as with the default {@code REQUIRED}: the inbox's
 *       row, the handler's effects and the acknowledgement belong to that one transaction;
 *   <li>where there is none, as with {@code NOT_SUPPORTED}, in a transaction that the inbox begins:
 *       the row and the effects are committed, and only then the message is acknowledged.
 * </ul>
 *
 * <p>Anything that the handler throws rolls back, also an exception whose class says
 * {@code @ApplicationException(rollback = false)}. A handler that only marks the transaction and
 * returns gets its message again as well: where the transaction is not that of the delivery, an
 * {@link InboxException} is thrown, since a container rolls back without a word. A bean that
 * manages its own transactions is refused, and so are {@code @Asynchronous} and {@code @Retry}.
 *
 * <p>For several consumers of one message, let a listener <em>without</em> the annotation hand it
 * to one bean for each, which carries it: what one of them has done is skipped when the message is
 * redelivered for another. Where a guarded handler hands its message on to another, both succeed or
 * fail together, and what is kept aside for the inner one is not handed to it again.
 *
 * <p>A delivery without a usable id, or with a known id and other content, is kept in the table
 * {@code inbox_quarantine} and acknowledged; the handler does not run. The content of an object
 * message is never looked at, so other content under the same id is not noticed there, and one that
 * would have to be kept aside is redelivered until it is taken from the queue.
 */
@Documented
@Inherited
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Inbox {

  /**
   * The consumer: the name under which messages are remembered, 1 to 100 characters. Beans with the
   * same name in one service share their memory, so each message is handled by one of them: right
   * for several on one queue, which is logged as a warning, and wrong otherwise. To rename it is to
   * forget.
   */
  @Nonbinding
  String value();

  /** Where a message's id is read. */
  @Nonbinding
  IdFrom idFrom() default IdFrom.OUTBOX_MESSAGE_ID;

  /** The string property that holds the id, for {@link IdFrom#PROPERTY} and only there. */
  @Nonbinding
  String property() default "";

  /**
   * The bean that finds the id, for {@link IdFrom#RESOLVER} and only there. There must be exactly
   * one CDI bean of this class, which is no enterprise bean.
   */
  @Nonbinding
  Class<? extends MessageIdResolver> resolver() default MessageIdResolver.class;
}
