package io.postbox.inbox.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The lines that the inbox logs as long as this is open. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.postbox.inbox");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** The error that every further line meets; {@code null} if lines are logged. */
  public volatile @Nullable Error broken;

  public LogLines() {
    logger.addHandler(this);
  }

  public List<String> all() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    if (broken != null) {
      throw broken;
    }
    lines.add(line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
