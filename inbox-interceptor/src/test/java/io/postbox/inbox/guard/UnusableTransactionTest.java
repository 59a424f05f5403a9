package io.postbox.inbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnusableTransactionTest {
  private final FakeLedger ledger = new FakeLedger();
  private final FakeTransaction transaction = new FakeTransaction();
  private final InboxGuard guard = new InboxGuard(ledger, transaction, (consumer, outcome) -> {});

  @Test
  void withoutATransactionNothingIsHandled() {
    assertThatThrownBy(() -> deliver())
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith(
            "A message for the consumer 'shipping' was not handled, because no transaction is"
                + " active")
        .hasMessageContaining("@TransactionAttribute(REQUIRED)");
    assertThat(ledger.statements).isZero();
  }

  @Test
  void aTransactionThatCanOnlyRollBackIsNoneToHandleIn() {
    transaction.begin();
    transaction.setRollbackOnly();

    assertThatThrownBy(() -> deliver())
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith(
            "A message for the consumer 'shipping' was not handled, because its transaction can"
                + " only roll back")
        .hasMessageContaining("timed out")
        .hasMessageContaining("comes again");
    assertThat(ledger.statements).isZero();
  }

  private @Nullable Object deliver() throws Exception {
    return guard.handle(
        "shipping",
        () -> {
          throw new AssertionError("nobody reads it");
        },
        () -> {
          throw new AssertionError("nobody handles it");
        });
  }
}
