package io.postbox.common.ops;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is tried every few seconds and may fail each time: the failure is logged once, and then that
 * it is over. Thread-safe.
 */
public final class LoggedOnce {
  private final Consumer<Throwable> failed;
  private final Runnable works;
  private @Nullable Throwable last;

  /**
   * @param failed logs a failure
   * @param works logs that it is over
   */
  public LoggedOnce(Consumer<Throwable> failed, Runnable works) {
    this.failed = failed;
    this.works = works;
  }

  /** It has failed. */
  public synchronized void failed(Throwable why) {
    boolean isNews = last == null;
    last = why;
    if (isNews) {
      failed.accept(why);
    }
  }

  /** It works. */
  public synchronized void works() {
    if (last != null) {
      last = null;
      works.run();
    }
  }

  /** Why it has failed last, if it does. */
  public synchronized Optional<Throwable> problem() {
    return Optional.ofNullable(last);
  }
}
