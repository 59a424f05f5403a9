package io.postbox.common.log;

import io.postbox.common.text.Storable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * A module's log, in which every line begins with an id and holds no control characters.
 * Thread-safe.
 */
public final class ModuleLog {
  private final Logger logger;
  private final ExceptionDetail exceptions;

  /**
   * @param name the logger's
   * @param exceptions how much the log says of exceptions
   */
  public ModuleLog(String name, ExceptionDetail exceptions) {
    logger = System.getLogger(name);
    this.exceptions = exceptions;
  }

  /** An event that matters only to the search for a cause. */
  public void debug(String id, String text) {
    log(Level.DEBUG, id, text, null);
  }

  /** An event that needs no action. */
  public void info(String id, String text) {
    log(Level.INFO, id, text, null);
  }

  /** An event that someone should look at. */
  public void warning(String id, String text) {
    log(Level.WARNING, id, text, null);
  }

  /** The same, with the stack of its cause. */
  public void warning(String id, String text, @Nullable Throwable thrown) {
    log(Level.WARNING, id, text, thrown);
  }

  /** An event that someone must act on. */
  public void error(String id, String text) {
    log(Level.ERROR, id, text, null);
  }

  /** The same, with the stack of its cause. */
  public void error(String id, String text, @Nullable Throwable thrown) {
    log(Level.ERROR, id, text, thrown);
  }

  private void log(Level level, String id, String text, @Nullable Throwable thrown) {
    String line = id + " " + Storable.printable(text);
    Throwable stack = exceptions.toLog(thrown);
    if (stack == null) {
      logger.log(level, line);
    } else {
      logger.log(level, line, stack);
    }
  }
}
