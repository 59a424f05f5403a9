package io.postbox.it.batch;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxRequest;
import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.PostgresLog;
import java.util.List;
import org.junit.jupiter.api.Test;

@OnPostgres
class BatchOnPostgresIT extends BatchTests {
  @Test
  void eachMessageCostsTheStatementsOfOneAndACommit() {
    List<InboxRequest> batch = firstDeliveries(4);

    assertThat(transactionsOf(() -> assertThat(each(batch).isDone()).isTrue(), 4))
        .hasSize(4)
        .containsOnly(
            List.of(
                "BEGIN",
                "INSERT INTO batch_pg_inbox_message",
                "INSERT INTO batch_ledger",
                "COMMIT"));
  }

  @Test
  void messagesTogetherCostOneCommit() {
    List<InboxRequest> batch = firstDeliveries(3);

    assertThat(transactionsOf(() -> guard.handleTogether(batch, request -> ledger.book()), 1))
        .containsExactly(
            List.of(
                "BEGIN",
                "INSERT INTO batch_pg_inbox_message",
                "INSERT INTO batch_ledger",
                "INSERT INTO batch_pg_inbox_message",
                "INSERT INTO batch_ledger",
                "INSERT INTO batch_pg_inbox_message",
                "INSERT INTO batch_ledger",
                "COMMIT"));
  }

  /** As of a source that does not count deliveries, such as Kafka. */
  @Test
  void aMessageThatMayHaveComeBeforeCostsTwoMore() {
    List<InboxRequest> batch = batch(newConsumer(), 2);

    assertThat(transactionsOf(() -> assertThat(each(batch).isDone()).isTrue(), 2))
        .hasSize(2)
        .containsOnly(
            List.of(
                "BEGIN",
                "SELECT fingerprint",
                "SELECT GREATEST",
                "INSERT INTO batch_pg_inbox_message",
                "INSERT INTO batch_ledger",
                "COMMIT"));
  }

  private InboxBatchOutcome<String> each(List<InboxRequest> batch) {
    return guard.handleAll(batch, request -> ledger.book());
  }

  private static List<InboxRequest> firstDeliveries(int size) {
    return batch(newConsumer(), size).stream().map(request -> request.deliveries(1)).toList();
  }

  /** The transactions that book something, each with its statements. */
  private static List<List<String>> transactionsOf(Runnable work, int expected) {
    PostgresLog log = PostgresLog.fromNow();
    work.run();
    eventually(
        () ->
            assertThat(log.transactionsWith("INSERT INTO batch_ledger"))
                .filteredOn(it -> it.contains("COMMIT"))
                .hasSize(expected));
    return log.transactionsWith("INSERT INTO batch_ledger");
  }
}
