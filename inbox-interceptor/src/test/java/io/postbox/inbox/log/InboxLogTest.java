package io.postbox.inbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.text.Storable;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxLogTest {

  @Test
  void nobodyCanForgeALine() {
    assertThat(Storable.printable("a\r\nIBX0001 b\0\u0085\u2028\u2029\u001b[31mc"))
        .isEqualTo("a IBX0001 b [31mc");
  }

  @Test
  void theReasonNamesEveryCauseAndEndsInACircle() {
    Exception inner = new IllegalStateException("inner");
    Exception outer = new RuntimeException("outer", inner);
    assertThat(InboxLog.reason(outer))
        .isEqualTo("java.lang.IllegalStateException: inner -> java.lang.RuntimeException: outer");

    inner.initCause(outer);
    assertThat(InboxLog.reason(outer)).hasSizeLessThan(2_200);
  }

  @Test
  void aCapturingConsumerIsNotSaidToHandleItsMessagesAtOnce() {
    try (LogLines lines = new LogLines()) {
      InboxLog.consumer("mail", "a.Mail.onMessage", "in the container's transaction", true);
      InboxLog.consumer("mail", "a.Mail.onMessage", "in the container's transaction", false);

      assertThat(lines.all())
          .containsExactly(
              "IBX0060 The consumer 'mail' on a.Mail.onMessage stores each message in the"
                  + " container's transaction, and handles it later in one of the inbox's own"
                  + " (IBX0190).",
              "IBX0060 The consumer 'mail' on a.Mail.onMessage handles each message in the"
                  + " container's transaction.");
    }
  }

  @Test
  void aSharedConsumerIsExplainedNamingItsClasses() {
    try (LogLines lines = new LogLines()) {
      InboxLog.sharedConsumer("shipping", List.of("a.First", "b.Second"));

      assertThat(lines.all())
          .containsExactly(
              "IBX0006 The consumer name 'shipping' is used by a.First and b.Second, which share"
                  + " one idempotency record: each message is handled by one of them and skipped by"
                  + " the others. That is right only if they all read one queue, or a topic and its"
                  + " retry destination; otherwise give each a consumer name of its own.");
    }
  }
}
