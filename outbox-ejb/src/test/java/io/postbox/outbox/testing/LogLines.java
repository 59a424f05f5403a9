package io.postbox.outbox.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that are logged while it is open, from INFO on or all. */
public final class LogLines extends Handler implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level least;
  private final Level before;

  private LogLines(Logger logger, Level least) {
    this.logger = logger;
    this.least = least;
    before = logger.getLevel();
  }

  /** Listens to a logger. */
  public static LogLines of(String name) {
    return of(name, Level.INFO);
  }

  /** Has a logger tell all that it can. */
  public static LogLines all(String name) {
    LogLines lines = of(name, Level.ALL);
    lines.logger.setLevel(Level.ALL);
    return lines;
  }

  private static LogLines of(String name, Level least) {
    LogLines lines = new LogLines(Logger.getLogger(name), least);
    lines.logger.addHandler(lines);
    return lines;
  }

  /** The lines so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    if (line.getLevel().intValue() >= least.intValue()) {
      lines.add(line.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.setLevel(before);
    logger.removeHandler(this);
  }
}
