package io.postbox.inbox.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionBoundaryTest {
  private final List<String> told = new ArrayList<>();
  private final List<@Nullable Throwable> causes = new ArrayList<>();
  private final TransactionBoundary own = new TransactionBoundary();

  @Test
  void anUnsentCopyIsReportedAfterTheFirstTransactionsEnd() {
    ending(Status.STATUS_COMMITTED, Status.STATUS_ROLLEDBACK);

    assertThatThrownBy(this::call)
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("the transaction that resends a message");
    assertThat(told).containsExactly("committed", "sending", "not sent");
  }

  @Test
  void aSentCopyIsNotReported() throws Exception {
    ending(Status.STATUS_COMMITTED, Status.STATUS_COMMITTED);

    assertThat(call()).isEqualTo("done");
    assertThat(told).containsExactly("committed", "sending");
  }

  @Test
  void nothingIsSentIfTheFirstDoesNotCommit() {
    ending(Status.STATUS_ROLLEDBACK);

    assertThatThrownBy(this::call).isInstanceOf(InboxException.class);
    assertThat(told).containsExactly("rolled back");
  }

  /** It may have committed or not: the message is redelivered, and skipped if it has. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        Status.STATUS_UNKNOWN,
        Status.STATUS_NO_TRANSACTION,
        Status.STATUS_PREPARED,
        Status.STATUS_COMMITTING,
        Status.STATUS_ROLLING_BACK,
        Status.STATUS_MARKED_ROLLBACK
      })
  void anEndThatIsNotKnownIsNotTakenForACommit(int status) {
    ending(status, Status.STATUS_COMMITTED);

    assertThatThrownBy(this::call)
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("has no known end (status " + status + ")")
        .hasMessageContaining("It comes again; if it was committed after all, the inbox skips it");
    assertThat(told).containsExactly("rolled back");
  }

  @Test
  void anEndThatNobodyTellsIsNotTakenForACommit() {
    own.transactions =
        new RequiresNewTransaction() {
          @Override
          <T extends @Nullable Object> T call(Synchronization end, Callable<T> task)
              throws Exception {
            end.beforeCompletion();
            return task.call();
          }
        };

    assertThatThrownBy(this::call).hasMessageContaining("has no known end");
    assertThat(told).containsExactly("rolled back");
  }

  @Test
  void aRollbackIsCalledOneAndItsReasonGuessedWhereNobodyGivesIt() {
    ending(Status.STATUS_ROLLEDBACK);

    assertThatThrownBy(this::call)
        .hasMessageContaining("was rolled back: it was marked rollback-only or timed out")
        .hasNoCause();
  }

  @Test
  void theServersCommitFailureIsTheReasonAndTheCause() {
    IllegalStateException failed = new IllegalStateException("the log is full");
    own.transactions =
        new RequiresNewTransaction() {
          @Override
          <T extends @Nullable Object> T call(Synchronization end, Callable<T> task)
              throws Exception {
            task.call();
            end.afterCompletion(Status.STATUS_ROLLEDBACK);
            throw failed;
          }
        };

    assertThatThrownBy(this::call)
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("the delivery's own transaction was rolled back: the log is full")
        .hasCause(failed);
    assertThat(told).containsExactly("rolled back");
    assertThat(causes).containsExactly(failed);
  }

  @Test
  void theWorksThrowableIsPassedOnAsItIs() {
    Error thrown = new StackOverflowError("in the handler");
    ending(Status.STATUS_ROLLEDBACK);

    assertThatThrownBy(
            () ->
                own.call(
                    () -> {
                      throw thrown;
                    },
                    new Told(),
                    List.of()))
        .isSameAs(thrown);
    assertThat(causes).containsExactly(thrown);
  }

  @Test
  void withNothingToSendThereIsNoSecondTransaction() throws Exception {
    ending(Status.STATUS_COMMITTED);

    assertThat(own.<String>call(() -> "done", new Told(), List.of())).isEqualTo("done");
    assertThat(told).containsExactly("committed");
  }

  private String call() throws Exception {
    return own.call(() -> "done", new Told(), List.of(() -> told.add("sending")));
  }

  private void ending(Integer... statuses) {
    own.transactions = new FakeTransactions(List.of(statuses).iterator());
  }

  private final class Told implements End {
    @Override
    public void ended(boolean committed, @Nullable Throwable cause) {
      told.add(committed ? "committed" : "rolled back");
      causes.add(cause);
    }

    @Override
    public void notSent() {
      told.add("not sent");
    }
  }

  /** Each ends as is said, without a word. */
  private static final class FakeTransactions extends RequiresNewTransaction {
    private final Iterator<Integer> statuses;

    FakeTransactions(Iterator<Integer> statuses) {
      this.statuses = statuses;
    }

    @Override
    <T extends @Nullable Object> T call(Synchronization end, Callable<T> task) throws Exception {
      T result = task.call();
      end.afterCompletion(statuses.next());
      return result;
    }
  }
}
