package io.postbox.inbox.interceptor;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.startup.InboxAnnotations;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * Has its turn before {@code @Transactional} begins a transaction and after it has ended it. That
 * rolls back what was marked without a word, also what was marked after the inbox had returned; the
 * caller would acknowledge the message. Where the transaction is the caller's it is not over yet,
 * and there is nothing to say. An enterprise bean's container has both its turns outside of every
 * interceptor, so there is nothing to see either.
 */
@Inbox("")
@Interceptor
@Priority(CommitInterceptor.BEFORE_TRANSACTIONAL)
public class CommitInterceptor {
  /** That of {@code @Transactional} is fixed by its specification: 200 more than the platform's. */
  static final int BEFORE_TRANSACTIONAL = Interceptor.Priority.PLATFORM_BEFORE + 100;

  /** Called by the container in the caller's transaction, if there is one. */
  @AroundInvoke
  @Nullable Object check(InvocationContext context) throws Exception {
    if (!InboxAnnotations.isGuarded(context.getMethod())) {
      return context.proceed();
    }
    InvocationOutcome outcome = InvocationOutcome.of(context);
    Object returned = context.proceed();
    outcome.refuseRollback(context.getMethod().toString());
    return returned;
  }
}
