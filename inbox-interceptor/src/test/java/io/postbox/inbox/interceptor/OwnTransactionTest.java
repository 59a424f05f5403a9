package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.DeliveryTransaction.End;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OwnTransactionTest {
  private final List<String> told = new ArrayList<>();
  private final OwnTransaction own = new OwnTransaction();

  @Test
  void whatTheSecondTransactionDoesNotSendIsToldAfterTheFirstOnesEnd() {
    ending(Status.STATUS_COMMITTED, Status.STATUS_ROLLEDBACK);

    assertThatThrownBy(this::call)
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("the transaction that sends a message again");
    assertThat(told).containsExactly("committed", "sending", "not sent");
  }

  @Test
  void whatIsSentIsNotTold() throws Exception {
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
    }

    @Override
    public void notSent() {
      told.add("not sent");
    }
  }

  /** Each ends as is said, without a word. */
  private static final class FakeTransactions extends NewTransaction {
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
