package io.postbox.outbox.log;

import io.postbox.common.log.ExceptionDetail;
import org.jspecify.annotations.Nullable;

/**
 * What the outbox says of exceptions, set once at start for the application whose module this is.
 */
public final class ExceptionTexts {
  private static final ExceptionDetail DETAIL = new ExceptionDetail();

  private ExceptionTexts() {}

  /** Whether messages are left out from now on. */
  public static void tellOnlyClasses(boolean only) {
    DETAIL.tellOnlyClasses(only);
  }

  /** What an exception says itself, on one line. */
  public static String of(Throwable thrown) {
    return DETAIL.of(thrown);
  }

  /** The class and message of an exception, and those of its causes, on one line. */
  static String chain(Throwable thrown) {
    return DETAIL.chain(thrown);
  }

  /** An exception as its stack may be logged. */
  static @Nullable Throwable toLog(@Nullable Throwable thrown) {
    return DETAIL.toLog(thrown);
  }
}
