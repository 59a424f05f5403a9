package io.postbox.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that handles the captured messages of a consumer, those of its listener with
 * {@link InboxMode#CAPTURE} and those of {@link InboxGuard#capture}: a public instance method of a
 * CDI bean or session bean, whose class is public too, with a {@link CapturedMessage} as its only
 * parameter.
 *
 * <pre>{@code
 * @ApplicationScoped
 * public class Billing {
 *   @InboxHandler("billing")
 *   public void book(CapturedMessage message) {
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>The inbox calls it on a thread of its own, in a JTA transaction that also marks the message as
 * processed: the effects and the mark are committed together or not at all. Messages of one
 * ordering key are handled one after the other, in the order in which they were captured; those of
 * other keys at the same time, up to {@code capture.workers} on each node. {@link InboxContext}
 * works as within any handler, and a request scope is active. After an exception the transaction
 * rolls back, and the message is handled again after a backoff, up to {@code max-attempts} times;
 * then it is parked. {@link RetryLaterException} and {@link RejectedMessageException} mean the same
 * as elsewhere.
 *
 * <p>The deployment fails unless each consumer with {@link InboxMode#CAPTURE} has exactly one such
 * method, and each method such a consumer, or one without a listener and an {@link InboxGuard} in
 * the application; also if the method would leave the transaction ({@code REQUIRES_NEW}, {@code
 * NOT_SUPPORTED}, {@code NEVER}, bean-managed transactions, {@code @Asynchronous}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface InboxHandler {

  /** The consumer's name, as in {@link Inbox#value}. */
  String value();
}
