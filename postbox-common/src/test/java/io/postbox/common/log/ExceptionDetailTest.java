package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ExceptionDetailTest {
  private final ExceptionDetail detail = new ExceptionDetail();

  private static final String SECRET = "card 4711";

  /** As PostgreSQL's driver makes one, with what its server says of the row. */
  private static BatchUpdateException batch() {
    SQLException error = new SQLException("ERROR: duplicate key", "23505");
    BatchUpdateException batch =
        new BatchUpdateException(
            "Batch entry 0 INSERT INTO outbox_message VALUES ('" + SECRET + "') was aborted",
            "23505",
            new int[0]);
    batch.setNextException(error);
    return batch;
  }

  @Test
  void theParametersOfABatchAreNotReported() {
    assertThat(detail.chain(new IllegalStateException("outer", batch())))
        .isEqualTo(
            "java.sql.BatchUpdateException: ERROR: duplicate key ->"
                + " java.lang.IllegalStateException: outer");
    assertThat(detail.of(batch())).contains("duplicate key").doesNotContain(SECRET);
  }

  @Test
  void allCausesAreReportedUnlessTheyGoInACircle() {
    Exception third = new IllegalStateException("third");
    Exception second = new IllegalStateException("second", third);
    assertThat(detail.chain(new IllegalStateException("first", second)))
        .isEqualTo(
            "java.lang.IllegalStateException: third -> java.lang.IllegalStateException: second ->"
                + " java.lang.IllegalStateException: first");
    third.initCause(second);

    assertThat(detail.chain(second))
        .isEqualTo(
            "java.lang.IllegalStateException: third -> java.lang.IllegalStateException: second");
  }

  /** As containers wrap what a bean throws. */
  @Test
  void theCauseComesFirstAndOnce() {
    Exception cause = new IllegalStateException("thirteen");
    Exception wrapper =
        new IOException("See nested exception; nested exception is: " + cause, cause);
    Exception outer = new RuntimeException("nested exception is: " + wrapper, wrapper);

    assertThat(detail.chain(outer))
        .isEqualTo(
            "java.lang.IllegalStateException: thirteen -> java.io.IOException: See nested"
                + " exception; nested exception is: \u2026 -> java.lang.RuntimeException: nested"
                + " exception is: \u2026");
    assertThat(detail.brief(new RuntimeException(cause), false))
        .isEqualTo("java.lang.IllegalStateException: thirteen -> java.lang.RuntimeException");
  }

  @Test
  void whatIsCutIsTheWrapperAndNotTheCause() {
    Exception thrown = new IllegalStateException("the cause");
    for (int i = 0; i < 200; i++) {
      thrown = new IllegalStateException("wrapper " + "x".repeat(100), thrown);
    }

    String chain = detail.chain(thrown);

    assertThat(chain).startsWith("java.lang.IllegalStateException: the cause -> ");
    assertThat(chain.length()).isBetween(500, 5_000);
  }

  @Test
  void onlyClassesAreReportedWhereMessagesMayHoldPayloads() {
    detail.tellOnlyClasses(true);
    Exception inner = new SQLException(SECRET, "22001", 7);
    Exception outer = new IllegalArgumentException("not this: " + SECRET, inner);

    assertThat(detail.chain(outer))
        .isEqualTo(
            "java.sql.SQLException (SQLState 22001, code 7) -> java.lang.IllegalArgumentException");
    assertThat(detail.of(inner)).isEqualTo("java.sql.SQLException (SQLState 22001, code 7)");
    assertThat(detail.of(new SQLException("x", SECRET)))
        .isEqualTo("java.sql.SQLException (code 0)");
  }

  @Test
  void aLoggedStackSaysNoMoreThanItsLine() {
    Exception thrown = new IllegalArgumentException(SECRET, new IllegalStateException(SECRET));
    assertThat(detail.toLog(thrown)).isSameAs(thrown);
    detail.tellOnlyClasses(true);

    StringWriter stack = new StringWriter();
    detail.toLog(thrown).printStackTrace(new PrintWriter(stack, true));

    assertThat(stack.toString())
        .startsWith("java.lang.IllegalArgumentException" + System.lineSeparator())
        .contains("Caused by: java.lang.IllegalStateException", "aLoggedStackSaysNoMoreThanItsLine")
        .doesNotContain(SECRET);
  }
}
