package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModuleLogTest {
  private static final String NAME = ModuleLogTest.class.getName();

  private final Logger logger = Logger.getLogger(NAME);
  private final List<LogRecord> records = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final ModuleLog log = new ModuleLog(NAME, new ExceptionDetail());

  @BeforeEach
  void listen() {
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
  }

  @Test
  void eachLineBeginsWithItsIdAndHasItsLevel() {
    log.debug("OBX1", "a");
    log.info("OBX2", "b");
    log.warning("OBX3", "c");
    log.error("OBX4", "d");

    assertThat(records)
        .extracting(it -> it.getLevel() + " " + it.getMessage())
        .containsExactly("FINE OBX1 a", "INFO OBX2 b", "WARNING OBX3 c", "SEVERE OBX4 d");
    assertThat(records).extracting(LogRecord::getThrown).containsOnlyNulls();
  }

  @Test
  void aCauseIsLoggedWithItsStack() {
    IllegalStateException cause = new IllegalStateException("why");
    log.warning("OBX1", "a", cause);
    log.error("OBX2", "b", cause);
    log.error("OBX3", "c", null);

    assertThat(records).extracting(LogRecord::getThrown).containsExactly(cause, cause, null);
  }

  @Test
  void nobodyWritesALineOfTheirOwnIntoIt() {
    log.info("OBX1", "a\nOBX4 forged\u202e");

    assertThat(records.get(0).getMessage()).startsWith("OBX1 a").doesNotContain("\n", "\u202e");
  }
}
