package io.postbox.it.consumers;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.jms.Message;

/** Gives the transaction up when the inbox has returned, and before {@code @Transactional} has. */
@MarkedLate
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE - 100)
public class LateInterceptor {
  @Inject Effects effects;

  @AroundInvoke
  Object mark(InvocationContext context) throws Exception {
    Object returned = context.proceed();
    effects.markIfToldSo("late", (Message) context.getParameters()[0]);
    return returned;
  }
}
