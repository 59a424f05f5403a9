package io.postbox.inbox.jta;

import io.postbox.inbox.receiver.HandlerContext.Outside;
import io.postbox.inbox.receiver.HandlerContext.Task;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task while the caller's transaction, if there is one, is suspended. The server ends what
 * the task leaves open, such as a broken connection, and if that fails, its exception is a {@link
 * RuntimeException}: the task has come to its end then. Thread-safe.
 */
@ApplicationScoped
public class SuspendedTransaction implements Outside {
  @Inject NoTransaction transactions;

  public void run(Runnable task) {
    transactions.run(task);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T call(Task<T, X> task) throws X {
    Course<T, X> course = new Course<>(task);
    transactions.run(course);
    return course.result();
  }

  /** Takes the task's result or its declared exception past the server. */
  private static final class Course<T extends @Nullable Object, X extends Exception>
      implements Runnable {
    private final Task<T, X> task;
    private @Nullable T result;
    private @Nullable X failure;

    Course(Task<T, X> task) {
      this.task = task;
    }

    @Override
    @SuppressWarnings("unchecked") // a task has no other checked exception
    public void run() {
      try {
        result = task.call();
      } catch (RuntimeException unchecked) {
        throw unchecked;
      } catch (Exception declared) {
        failure = (X) declared;
      }
    }

    @SuppressWarnings("NullAway") // null only where the task's result is
    T result() throws X {
      if (failure != null) {
        throw failure;
      }
      return result;
    }
  }
}
