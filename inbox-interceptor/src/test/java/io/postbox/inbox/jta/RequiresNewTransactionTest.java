package io.postbox.inbox.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Its own work; that a new transaction is there is the server's business. */
class RequiresNewTransactionTest {
  private final FakeRegistry registry = new FakeRegistry();
  private final RequiresNewTransaction transactions = new RequiresNewTransaction();
  private final List<Integer> ends = new ArrayList<>();

  RequiresNewTransactionTest() {
    transactions.transaction = new JtaTransaction(registry);
  }

  @Test
  void theEndIsReported() throws Exception {
    assertThat(transactions.<String>call(end(), () -> "done")).isEqualTo("done");

    registry.end(Status.STATUS_COMMITTED);

    assertThat(ends).containsExactly(Status.STATUS_COMMITTED);
    assertThat(registry.status).isEqualTo(Status.STATUS_ACTIVE);
  }

  /** Also what says of itself that a container commits after it. */
  @Test
  void anythingThrownRollsBackAndIsPassedOn() {
    Error thrown = new AssertionError("the handler fails badly");

    assertThatThrownBy(() -> call(thrown)).isSameAs(thrown).hasNoSuppressedExceptions();

    assertThat(registry.status).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
  }

  @Test
  void oneThatIsOverKeepsNothingOfWhatWasThrownFromTheCaller() {
    registry.isOver = true;
    Error thrown = new AssertionError("the handler fails badly");

    assertThatThrownBy(() -> call(thrown)).isSameAs(thrown);

    assertThat(thrown.getSuppressed()).hasSize(1);
  }

  private void call(Error thrown) throws Exception {
    transactions.call(
        end(),
        () -> {
          throw thrown;
        });
  }

  private Synchronization end() {
    return new Synchronization() {
      @Override
      public void beforeCompletion() {}

      @Override
      public void afterCompletion(int status) {
        ends.add(status);
      }
    };
  }
}
