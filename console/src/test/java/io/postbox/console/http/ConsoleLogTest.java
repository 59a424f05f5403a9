package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsoleLogTest {
  private static final Logger LOGGER = Logger.getLogger("io.postbox.console");
  private static final String SECRET = "the card 4111 is refused";

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
  private long now;
  private final ConsoleLog log = new ConsoleLog(() -> now);

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
    ConsoleLog.EXCEPTIONS.tellOnlyClasses(false);
  }

  private static Throwable failure() {
    return new IllegalStateException("no answer: " + SECRET, new SQLException(SECRET, "22001", 7));
  }

  @Test
  void whereOnlyClassesAreToldNoTextOfAnExceptionIsLogged() {
    ConsoleLog.EXCEPTIONS.tellOnlyClasses(true);
    log.failed("GET", "messages/1", failure());

    StringBuilder told = new StringBuilder(records.get(0).getMessage());
    for (Throwable each = records.get(0).getThrown(); each != null; each = each.getCause()) {
      told.append(each);
    }
    assertThat(told).doesNotContain(SECRET).contains("PBC0001", "SQLState 22001");
  }

  @Test
  void nobodyForgesALineOrTurnsItAround() {
    log.failed("GET", "messages/\u202e\u0085\u009b\nPBC0001", failure());

    assertThat(records.get(0).getMessage()).matches("[\\x20-\\x7e]+");
  }

  @Test
  void aCauseHasOneLineInAMinuteAndOneIncident() {
    UUID first = log.failed("GET", "a", failure());
    for (int i = 0; i < 40; i++) {
      assertThat(log.failed("GET", "b", failure())).isEqualTo(first);
    }
    UUID other = log.failed("GET", "c", new NullPointerException());
    now += TimeUnit.MINUTES.toNanos(1);
    UUID later = log.failed("GET", "d", failure());

    assertThat(records).hasSize(3);
    assertThat(other).isNotEqualTo(first);
    assertThat(records.get(2).getMessage())
        .contains("GET d, incident " + later + ", and 40 requests before it");
  }

  @Test
  void aCancelledStatementIsKnownBehindItsWrappers() {
    assertThat(
            ProblemMapper.isCancelled(
                new IllegalStateException(new SQLException("cancelled", "57014"))))
        .isTrue();
    assertThat(ProblemMapper.isCancelled(failure())).isFalse();
  }
}
