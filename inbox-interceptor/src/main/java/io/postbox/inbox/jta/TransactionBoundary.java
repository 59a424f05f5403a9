package io.postbox.inbox.jta;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends the inbox's own transaction for a delivery without one. Returns only if it has
 * committed, so that the message is acknowledged after the commit or not at all. Thread-safe.
 */
@ApplicationScoped
public class TransactionBoundary {
  @Inject RequiresNewTransaction transactions;

  /** The outcome of one transaction, and of the task in it. */
  private static final class Course<T extends @Nullable Object>
      implements Synchronization, Callable<T> {
    private final Callable<T> task;
    private volatile int status = Status.STATUS_NO_TRANSACTION;
    private @Nullable Throwable thrown;

    Course(Callable<T> task) {
      this.task = task;
    }

    @Override
    public T call() throws Exception {
      try {
        return task.call();
      } catch (Throwable failed) {
        thrown = failed;
        throw failed;
      }
    }

    @Override
    public void beforeCompletion() {}

    @Override
    public void afterCompletion(int outcome) {
      status = outcome;
    }
  }

  /**
   * Runs the work in a transaction of its own and commits it. The calling thread must not be in a
   * transaction.
   *
   * @param work the work
   * @param end is notified of the first transaction's end before the second one begins, and if the
   *     second one does not commit
   * @param afterCommit runs in one more transaction, once the first has committed; the work adds
   *     tasks to it
   * @return the work's result; both transactions have committed
   * @throws InboxException if one of them did not commit, caused by the server's exception, if
   *     there is one; the caller must not acknowledge the message
   * @throws Exception any exception of the work; its transaction has rolled back
   */
  public <T extends @Nullable Object> T call(Callable<T> work, End end, List<Runnable> afterCommit)
      throws Exception {
    T result;
    try {
      result = commit(work, "the delivery's own transaction");
    } catch (Throwable failed) {
      end.ended(false, failed instanceof NotCommitted ? failed.getCause() : failed);
      throw failed;
    }
    end.ended(true, null);
    if (!afterCommit.isEmpty()) {
      try {
        commit(
            () -> {
              afterCommit.forEach(Runnable::run);
              return true;
            },
            "the transaction that resends a message, or sends a reply,");
      } catch (Throwable failed) {
        end.notSent();
        throw failed;
      }
    }
    return result;
  }

  private <T extends @Nullable Object> T commit(Callable<T> task, String name) throws Exception {
    Course<T> course = new Course<>(task);
    T result;
    try {
      result = transactions.call(course, course);
    } catch (Throwable failed) {
      if (failed == course.thrown) {
        throw failed; // the cause is known, and nothing was committed
      }
      throw notCommitted(name, course.status, failed);
    }
    if (course.status != Status.STATUS_COMMITTED) {
      throw notCommitted(name, course.status, null);
    }
    return result;
  }

  /** The exception for a failed commit; its cause is the server's exception, if there is one. */
  private static final class NotCommitted extends InboxException {
    private static final long serialVersionUID = 1L;

    NotCommitted(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private static NotCommitted notCommitted(String name, int status, @Nullable Throwable cause) {
    String reason =
        cause != null ? InboxLog.EXCEPTIONS.of(cause) : "it was marked rollback-only or timed out";
    String end =
        status == Status.STATUS_ROLLEDBACK
            ? "was rolled back"
            : "has no known end (status " + status + ")";
    return new NotCommitted(
        "A message was not handled, because %s %s: %s. It comes again; if it was committed after all, the inbox skips it then."
            .formatted(
                name,
                end,
                reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason),
        cause);
  }
}
