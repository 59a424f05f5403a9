package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * How the transaction of a guarded method's call ended, as far as is known. Used by the thread of
 * the call.
 */
final class InvocationOutcome implements End {
  private static final String KEY = InvocationOutcome.class.getName();
  private boolean hasRolledBack;

  private InvocationOutcome() {}

  /** The outcome of this call, for its interceptors. */
  static InvocationOutcome of(InvocationContext context) {
    return (InvocationOutcome)
        context.getContextData().computeIfAbsent(KEY, key -> new InvocationOutcome());
  }

  @Override
  public void ended(boolean committed, @Nullable Throwable cause) {
    hasRolledBack = !committed;
  }

  /**
   * Throws if the transaction has ended without a commit.
   *
   * @param method the guarded method
   */
  void refuseRollback(String method) {
    if (hasRolledBack) {
      throw new InboxException(
          "The message that "
              + method
              + " was called with must not be acknowledged, because the container has rolled its transaction back without an exception: it was marked after the inbox had returned, or it timed out. All its changes are undone, and the message is redelivered.",
          null);
    }
  }
}
