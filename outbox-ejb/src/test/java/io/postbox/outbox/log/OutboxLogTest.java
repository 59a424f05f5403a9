package io.postbox.outbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.testing.LogLines;
import org.junit.jupiter.api.Test;

class OutboxLogTest {

  @Test
  void nobodyCanForgeALine() {
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      OutboxLog.SHARED.unknownKey("a\r\nOBX0001 b\0\u0085\u2028\u2029\u001b[31mc");

      assertThat(lines.lines()).containsExactly("OBX0002 a OBX0001 b [31mc");
    }
  }

  /** Trojan source: text that is shown in another order than it has. */
  @Test
  void charactersThatAreNotSeenAreShown() {
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      OutboxLog.SHARED.unknownKey(
          "a\u202Eb\u2066c\u2069d\u200Fe\u061Cf\u200Bg" + Character.toString(0xE0041));

      assertThat(lines.lines())
          .containsExactly("OBX0002 a\\u202Eb\\u2066c\\u2069d\\u200Fe\\u061Cf\\u200Bg\\uE0041");
    }
  }

  @Test
  void theReasonNamesEveryCauseAndEndsInACircle() {
    Exception inner = new IllegalStateException("inner");
    Exception outer = new RuntimeException("outer", inner);
    assertThat(OutboxLog.reason(outer))
        .isEqualTo("java.lang.IllegalStateException: inner -> java.lang.RuntimeException: outer");

    inner.initCause(outer);
    assertThat(OutboxLog.reason(outer))
        .as("a circle ends")
        .isEqualTo("java.lang.IllegalStateException: inner -> java.lang.RuntimeException: outer");
  }
}
