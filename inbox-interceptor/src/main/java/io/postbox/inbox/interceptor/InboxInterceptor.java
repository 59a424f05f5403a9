package io.postbox.inbox.interceptor;

import io.postbox.inbox.Inbox;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** Guards methods with a single JMS message as their parameter; everything else passes through. */
@Inbox("")
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class InboxInterceptor {
  @Inject private InboxRuntime runtime;

  /** Called by the container in the transaction of the delivery. */
  @AroundInvoke
  @Nullable Object guard(InvocationContext context) throws Exception {
    return InboxUse.isGuarded(context.getMethod())
        ? runtime.handle(
            InboxUse.consumerOf(context.getTarget().getClass(), context.getMethod()),
            (Message) context.getParameters()[0],
            context::proceed)
        : context.proceed();
  }
}
