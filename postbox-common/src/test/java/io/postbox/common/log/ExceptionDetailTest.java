package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

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
            "java.lang.IllegalStateException: outer <- java.sql.BatchUpdateException: ERROR:"
                + " duplicate key");
    assertThat(detail.of(batch())).contains("duplicate key").doesNotContain(SECRET);
  }

  @Test
  void allCausesAreReportedUnlessTheyGoInACircle() {
    Exception third = new IllegalStateException("third");
    Exception second = new IllegalStateException("second", third);
    assertThat(detail.chain(new IllegalStateException("first", second)))
        .isEqualTo(
            "java.lang.IllegalStateException: first <- java.lang.IllegalStateException: second <-"
                + " java.lang.IllegalStateException: third");
    third.initCause(second);

    String circle = detail.chain(second);

    assertThat(circle).startsWith("java.lang.IllegalStateException: second <- ");
    assertThat(circle.length()).isBetween(1_000, 20_000);
  }

  @Test
  void onlyClassesAreReportedWhereMessagesMayHoldPayloads() {
    detail.tellOnlyClasses(true);
    Exception inner = new SQLException(SECRET, "22001", 7);
    Exception outer = new IllegalArgumentException("not this: " + SECRET, inner);

    assertThat(detail.chain(outer))
        .isEqualTo(
            "java.lang.IllegalArgumentException <- java.sql.SQLException (SQLState 22001, code 7)");
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
