package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class RecordedErrorTest {
  private static final StackTraceElement CALL =
      new StackTraceElement("com.shop.Stock", "take", "Stock.java", 42);

  @Test
  void itNamesTheInnermostExceptionAndTheApplicationsCall() {
    SQLException cause = new SQLException("no column ordr");
    cause.setStackTrace(new StackTraceElement[] {frame("org.h2.Db"), CALL, frame("com.shop.Mdb")});
    Exception thrown = new IllegalStateException("outer", cause);

    assertThat(RecordedError.of("what to say", thrown))
        .isEqualTo(
            new RecordedError(
                "what to say",
                "java.sql.SQLException",
                "com.shop.Stock.take(Stock.java:42)",
                Signature.of(thrown)));
  }

  @Test
  void withoutAnExceptionItsTextCounts() {
    assertThat(RecordedError.of("expired"))
        .isEqualTo(new RecordedError("expired", "", "", Signature.of("expired")))
        .isEqualTo(RecordedError.of("expired", null));
  }

  @Test
  void hugeAndHostileNamesFitOnALine() {
    Exception thrown = new IllegalStateException("x");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("com.shop.A\n" + "b".repeat(1_000), "c\u202E", null, -1)
        });
    RecordedError error = RecordedError.of("a\nb".repeat(1_000), thrown).cut(100);

    assertThat(error.frame())
        .hasSize(RecordedError.LONGEST_NAME)
        .startsWith("com.shop.A bbb")
        .doesNotContain("\n");
    assertThat(error.text()).hasSize(100).startsWith("a ba b");
    assertThat(RecordedError.of("x", thrown).frame()).isEqualTo(error.frame());
  }

  @Test
  void causesInACircleEnd() {
    Exception one = new IllegalStateException("one");
    Exception two = new IllegalArgumentException("two", one);
    one.initCause(two);

    assertThat(RecordedError.of("x", one).errorClass())
        .isEqualTo("java.lang.IllegalArgumentException");
  }

  private static StackTraceElement frame(String type) {
    return new StackTraceElement(type, "run", "X.java", 1);
  }
}
