package io.postbox.inbox.jta;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.transaction.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JtaTransactionTest {
  /** All that there are, from active to rolling back. */
  private static final int LAST_STATUS = Status.STATUS_ROLLING_BACK;

  private final FakeRegistry registry = new FakeRegistry();
  private final JtaTransaction transaction = new JtaTransaction(registry);

  @Test
  void workCanBeAddedToAnActiveOneOnly() {
    assertThat(statuses(JtaTransaction::isActive)).containsExactly(Status.STATUS_ACTIVE);
  }

  @Test
  void theThreadIsInOneInEveryStatusButNone() {
    assertThat(statuses(JtaTransaction::exists))
        .hasSize(LAST_STATUS)
        .doesNotContain(Status.STATUS_NO_TRANSACTION);
  }

  @Test
  void oneThatIsMarkedOrRolledBackCanOnlyRollBack() {
    assertThat(statuses(JtaTransaction::isRollbackOnly))
        .containsExactlyInAnyOrder(
            Status.STATUS_MARKED_ROLLBACK, Status.STATUS_ROLLEDBACK, Status.STATUS_ROLLING_BACK);
  }

  @Test
  void onlyAKnownCommitIsReportedAsOne() {
    Set<Integer> committed = new HashSet<>();
    for (int status = 0; status <= LAST_STATUS; status++) {
      int outcome = status;
      List<Boolean> told = new ArrayList<>();
      FakeRegistry each = new FakeRegistry();
      new JtaTransaction(each).onEnd(noting(told));
      each.end(outcome);
      assertThat(told).as("reported once").hasSize(1);
      if (told.get(0)) {
        committed.add(outcome);
      }
    }
    assertThat(committed).containsExactly(Status.STATUS_COMMITTED);
  }

  @Test
  void allThatWorkInItShareOneFate() {
    assertThat(transaction.votes()).isSameAs(transaction.ofListener().votes());
    assertThat(new JtaTransaction(new FakeRegistry()).votes()).isNotSameAs(transaction.votes());
  }

  @Test
  void itIsMarkedThroughTheRegistry() {
    transaction.setRollbackOnly();
    assertThat(transaction.isRollbackOnly()).isTrue();
  }

  @Test
  void onlyTheListenersOwnTakesAMessageBackByItself() {
    assertThat(transaction.redeliversOnRollback()).isFalse();
    assertThat(transaction.ofListener().redeliversOnRollback()).isTrue();
  }

  @Test
  void oneThatTheInboxEndsIsItsCurrentOneAndTakesTheMessageBack() {
    OwnDeliveryTransaction own = new OwnDeliveryTransaction(transaction);
    List<Boolean> told = new ArrayList<>();
    own.onEnd(noting(told));

    assertThat(own.redeliversOnRollback()).isTrue();
    assertThat(own.isActive()).isTrue();
    assertThat(own.isRollbackOnly()).isFalse();
    assertThat(own.votes()).isSameAs(transaction.votes());
    own.setRollbackOnly();
    assertThat(own.isActive()).isFalse();
    assertThat(own.isRollbackOnly()).isTrue();
    registry.end(Status.STATUS_COMMITTED);
    assertThat(told).as("only the inbox knows").isEmpty();
    own.ended(false, null);
    own.notSent();
    assertThat(told).containsExactly(false, null);
  }

  private Set<Integer> statuses(Predicate<JtaTransaction> predicate) {
    return IntStream.rangeClosed(0, LAST_STATUS)
        .filter(
            status -> {
              registry.status = status;
              return predicate.test(transaction);
            })
        .boxed()
        .collect(Collectors.toSet());
  }

  /** Notes each end, and {@code null} for what was not sent. */
  private static End noting(List<@Nullable Boolean> told) {
    return new End() {
      @Override
      public void ended(boolean committed, @Nullable Throwable cause) {
        told.add(committed);
      }

      @Override
      public void notSent() {
        told.add(null);
      }
    };
  }
}
