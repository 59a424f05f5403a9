package io.postbox.common.log;

import io.postbox.common.text.Storable;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How much the log, tables, events and other exceptions reveal of an exception. Handlers, loaders,
 * serialisers, drivers and brokers put values into their exceptions' messages, and a value may be a
 * payload. Where readers must not see payloads, only the classes of exceptions are named, and the
 * error codes of databases. Set once, at start. Thread-safe.
 */
public final class ExceptionDetail {
  private static final int LONGEST_CHAIN = 2_000;
  private static final int DEEPEST = 20;
  private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{5}");

  private volatile boolean onlyClasses;

  /** Leaves the exceptions' messages out from now on, or not. */
  public void tellOnlyClasses(boolean only) {
    onlyClasses = only;
  }

  /** The class and message of an exception, and those of its causes, on one line. */
  public String chain(Throwable thrown) {
    StringBuilder chain = new StringBuilder(one(thrown));
    for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
      chain.append(" <- ").append(one(cause));
      if (chain.length() > LONGEST_CHAIN) {
        break; // also ends a circle of causes
      }
    }
    return Storable.printable(chain.toString());
  }

  /** The exception's own message, on one line. */
  public String of(Throwable thrown) {
    if (onlyClasses) {
      return withoutMessage(thrown);
    }
    return Storable.printable(
        thrown instanceof BatchUpdateException batch
            ? one(batch)
            : String.valueOf(thrown.getMessage()));
  }

  /**
   * The class of an exception with the first line of its message, and those of its causes: drivers
   * quote rows in the lines behind. Only classes where there is a cipher.
   *
   * @param isEncrypted whether the tables hold such texts only encrypted
   */
  public String brief(Throwable thrown, boolean isEncrypted) {
    return Storable.printable(
        Causes.of(thrown)
            .map(
                each ->
                    isEncrypted ? withoutMessage(each) : one(each).lines().findFirst().orElse(""))
            .collect(Collectors.joining(" <- ")));
  }

  private String one(Throwable thrown) {
    if (onlyClasses) {
      return withoutMessage(thrown);
    }
    // PostgreSQL's driver puts the statement and its parameters here; the error is the next
    // exception.
    if (thrown instanceof BatchUpdateException batch) {
      SQLException error = batch.getNextException();
      return batch.getClass().getName() + (error == null ? "" : ": " + error.getMessage());
    }
    return thrown.toString();
  }

  private static String withoutMessage(Throwable thrown) {
    String name = thrown.getClass().getName();
    if (thrown instanceof SQLException sql) {
      String state = sql.getSQLState();
      boolean isState = state != null && SQL_STATE.matcher(state).matches();
      return "%s (%scode %s)"
          .formatted(name, isState ? "SQLState " + state + ", " : "", sql.getErrorCode());
    }
    return name;
  }

  /** An exception as its stack may be logged. */
  public @Nullable Throwable toLog(@Nullable Throwable thrown) {
    return thrown == null || !onlyClasses ? thrown : new Stripped(thrown, DEEPEST);
  }

  /** The stack of an exception and its causes, without their messages. */
  private static final class Stripped extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    Stripped(Throwable thrown, int depth) {
      super(
          null,
          thrown.getCause() == null || depth == 0
              ? null
              : new Stripped(thrown.getCause(), depth - 1));
      text = withoutMessage(thrown);
      setStackTrace(thrown.getStackTrace());
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // the name of another class, without a message
    public String toString() {
      return text;
    }
  }
}
