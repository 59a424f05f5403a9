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
 * Makes a message-driven bean an idempotent receiver: the inbox records the messages that it has
 * handled, and skips and acknowledges redelivered ones.
 *
 * <p>Put it on the class of the bean or on its {@code onMessage}. Every method with a single
 * parameter of the type {@code jakarta.jms.Message} (or a type of message) is guarded, and no
 * other; without such a method the deployment fails. It works on any bean that the container
 * creates, in one of two modes, which the log names at start:
 *
 * <ul>
 *   <li>within the existing transaction, as with the default {@code REQUIRED}: the inbox's row, the
 *       handler's effects and the acknowledgement belong to that one transaction;
 *   <li>without one, as with {@code NOT_SUPPORTED}, in a transaction that the inbox begins: it
 *       commits the row and the effects, and only then is the message acknowledged.
 * </ul>
 *
 * <p>Any exception of the handler rolls back, even one whose class has
 * {@code @ApplicationException(rollback = false)}. If the handler only marks the transaction for
 * rollback and returns, its message is redelivered as well: if the transaction is not the
 * delivery's, the inbox throws an {@link InboxException}, because a container would roll back
 * without an exception. The deployment fails if the bean manages its own transactions, or has
 * {@code @Asynchronous} or {@code @Retry}.
 *
 * <p>For several consumers of one message, let a listener <em>without</em> the annotation pass it
 * to one annotated bean for each: a consumer that has handled the message skips it when it is
 * redelivered for another one. If a guarded handler passes its message on to another one, both
 * succeed or fail together, and a message that is kept aside for the inner one is not passed to it
 * again.
 *
 * <p>A delivery without a usable id, or with a known id and other content, is quarantined in the
 * table {@code inbox_stored} and acknowledged; the handler does not run. The inbox never reads the
 * content of an object message. So it cannot detect other content under the same id there, and an
 * object message that it would have to keep aside is redelivered until an operator takes it from
 * the queue.
 */
@Documented
@Inherited
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Inbox {

  /**
   * The consumer's name, under which the inbox records handled messages: 1 to 100 characters. Beans
   * with the same name in one service share one record, so only one of them handles each message.
   * That is right for several beans on one queue and wrong otherwise; the inbox logs a warning. A
   * renamed consumer has an empty record.
   */
  @Nonbinding
  String value();

  /**
   * Whether the annotated method handles the messages in the transaction of their delivery, or they
   * are only stored by it and handled later by a method with {@link InboxHandler}. With {@link
   * InboxMode#CAPTURE} the annotated method never runs and stays empty.
   */
  @Nonbinding
  InboxMode mode() default InboxMode.HANDLE;

  /** The source of a message's id. */
  @Nonbinding
  IdFrom idFrom() default IdFrom.OUTBOX_MESSAGE_ID;

  /** The string property that holds the id, for {@link IdFrom#PROPERTY} and only there. */
  @Nonbinding
  String property() default "";

  /**
   * The bean that returns the id, for {@link IdFrom#RESOLVER} and only there. There must be exactly
   * one CDI bean of this class, and it must not be an enterprise bean.
   */
  @Nonbinding
  Class<? extends MessageIdResolver> resolver() default MessageIdResolver.class;
}
