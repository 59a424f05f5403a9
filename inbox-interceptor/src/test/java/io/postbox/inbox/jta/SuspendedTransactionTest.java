package io.postbox.inbox.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The way of results and exceptions past the server; {@code GuardOnPostgresIT} has the server. */
class SuspendedTransactionTest {
  private final SuspendedTransaction suspended = new SuspendedTransaction();
  private final SQLException declared = new SQLException("no connection");

  SuspendedTransactionTest() {
    suspended.transactions = new NoTransaction();
  }

  @Test
  void theCallerGetsTheResult() {
    boolean[] ran = {false};
    suspended.run(() -> ran[0] = true);

    assertThat(ran).containsExactly(true);
    assertThat(suspended.<String, RuntimeException>call(() -> "result")).isEqualTo("result");
  }

  @Test
  void theDeclaredExceptionPassesTheServerAsAnOrdinaryReturn() {
    boolean[] returned = {false};
    suspended.transactions =
        new NoTransaction() {
          @Override
          void run(Runnable task) {
            super.run(task);
            returned[0] = true;
          }
        };

    assertThatThrownBy(this::fail).isSameAs(declared);
    assertThat(returned).containsExactly(true);
  }

  private void fail() throws SQLException {
    suspended.call(
        () -> {
          throw declared;
        });
  }

  @Test
  void uncheckedExceptionsPassThrough() {
    RuntimeException failed = new IllegalStateException("a bug");

    assertThatThrownBy(
            () ->
                suspended.call(
                    () -> {
                      throw failed;
                    }))
        .isSameAs(failed);
  }

  @Test
  void theServersFailureCountsMoreThanTheTasks() {
    RuntimeException failed = new IllegalStateException("the suspension cannot end");
    suspended.transactions =
        new NoTransaction() {
          @Override
          void run(Runnable task) {
            super.run(task);
            throw failed;
          }
        };

    assertThatThrownBy(this::fail).isSameAs(failed);
  }
}
