package io.postbox.inbox.interceptor;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.startup.InboxAnnotations;
import io.postbox.inbox.startup.TransactionMode;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * Guards methods with a single JMS message as their parameter; everything else passes through. It
 * runs after {@code @Transactional}, so that the row and the effects are in the same transaction
 * for every value of that annotation; {@link CommitInterceptor} runs before it.
 */
@Inbox("")
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class InboxInterceptor {
  @Inject private InboxRuntime runtime;

  /** Called by the container in the transaction of the delivery. */
  @AroundInvoke
  @Nullable Object guard(InvocationContext context) throws Exception {
    if (!InboxAnnotations.isGuarded(context.getMethod())) {
      return context.proceed();
    }
    Class<?> bean = context.getTarget().getClass();
    Consumer consumer = InboxAnnotations.consumerOf(bean, context.getMethod());
    Message message = (Message) context.getParameters()[0];
    if (consumer.captures()) {
      runtime.capture(
          consumer, message, TransactionMode.isMessageDriven(bean), InvocationOutcome.of(context));
      return null;
    }
    return runtime.handle(
        consumer,
        message,
        context::proceed,
        TransactionMode.isMessageDriven(bean),
        InvocationOutcome.of(context));
  }
}
