package io.postbox.common.log;

import io.postbox.common.text.Storable;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
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
  private static final String REPEATED = "\u2026";

  /** A shorter message may be part of another by chance. */
  private static final int LONG_ENOUGH = 8;

  private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{5}");

  private volatile boolean onlyClasses;

  /** Leaves the exceptions' messages out from now on, or not. */
  public void tellOnlyClasses(boolean only) {
    onlyClasses = only;
  }

  /**
   * The class and message of an exception and of its causes, the innermost first, on one line. What
   * an outer one repeats of an inner one is left out.
   */
  public String chain(Throwable thrown) {
    return chain(thrown, this::one);
  }

  /** What broke comes first: the end of a long text may be cut. */
  private static String chain(Throwable thrown, Function<Throwable, String> telling) {
    List<Throwable> causes = new ArrayList<>(Causes.of(thrown).toList());
    Collections.reverse(causes);
    List<String> told = new ArrayList<>();
    int length = 0;
    for (Throwable each : causes) {
      if (length > LONGEST_CHAIN) {
        break;
      }
      String text = telling.apply(each);
      told.add(text);
      length += text.length();
    }
    StringBuilder chain = new StringBuilder();
    for (int i = 0; i < told.size(); i++) {
      chain
          .append(i == 0 ? "" : " -> ")
          .append(withoutRepeats(told.get(i), causes.get(i), told.subList(0, i)));
    }
    return Storable.printable(chain.toString());
  }

  /** A wrapper's text, with dots for the texts of its causes. */
  private static String withoutRepeats(String text, Throwable wrapper, List<String> causes) {
    String name = wrapper.getClass().getName();
    if (!text.startsWith(name)) {
      return text;
    }
    String message = text.substring(name.length());
    for (int i = causes.size() - 1; i >= 0; i--) {
      String cause = causes.get(i);
      String itsMessage = cause.substring(cause.indexOf(": ") + 1).strip();
      message = message.replace(cause, REPEATED);
      if (itsMessage.length() >= LONG_ENOUGH) {
        message = message.replace(itsMessage, REPEATED);
      }
    }
    return message.equals(": " + REPEATED) ? name : name + message;
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
   * As {@link #chain}, with the first line of each message: drivers quote rows in the lines behind.
   * Only classes where there is a cipher.
   *
   * @param isEncrypted whether the tables hold such texts only encrypted
   */
  public String brief(Throwable thrown, boolean isEncrypted) {
    return chain(
        thrown,
        each -> isEncrypted ? withoutMessage(each) : one(each).lines().findFirst().orElse(""));
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
