package io.postbox.inbox.interceptor;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.startup.InboxAnnotations;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs before {@code @Transactional} begins a transaction and after it has ended it, and throws if
 * that transaction has rolled back without an exception, for instance because it was marked for
 * rollback after the inbox had returned: the caller would otherwise acknowledge the message. A
 * caller's own transaction has not ended yet, and an enterprise bean's container begins and ends
 * its transaction outside of every interceptor, so this class does nothing in these cases.
 */
@Inbox("")
@Interceptor
@Priority(CommitInterceptor.BEFORE_TRANSACTIONAL)
public class CommitInterceptor {
  /** The specification fixes the priority of {@code @Transactional} at 200 above the platform's. */
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
