package io.postbox.outbox.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while it is open. */
public final class LogLines extends Handler implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  /** Listens to a logger. */
  public static LogLines of(String name) {
    LogLines lines = new LogLines(Logger.getLogger(name));
    lines.logger.addHandler(lines);
    return lines;
  }

  /** The lines so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    if (line.getLevel().intValue() >= Level.INFO.intValue()) {
      lines.add(line.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
