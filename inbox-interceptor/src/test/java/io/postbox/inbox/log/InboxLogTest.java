package io.postbox.inbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InboxLogTest {

  @Test
  void nobodyCanForgeALine() {
    assertThat(InboxLog.printable("a\r\nIBX0001 b\0\u0085\u2028\u2029\u001b[31mc"))
        .isEqualTo("a IBX0001 b [31mc");
  }

  @Test
  void theReasonNamesEveryCauseAndEndsInACircle() {
    Exception inner = new IllegalStateException("inner");
    Exception outer = new RuntimeException("outer", inner);
    assertThat(InboxLog.reason(outer))
        .isEqualTo("java.lang.RuntimeException: outer <- java.lang.IllegalStateException: inner");

    inner.initCause(outer);
    assertThat(InboxLog.reason(outer)).hasSizeLessThan(2_200);
  }
}
