package io.postbox.it.batch;

import static io.postbox.it.tools.Eventually.eventually;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxRequest;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.OnPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@OnPostgres
class BatchOnPostgresIT extends BatchTests {
  private static final Pattern STATEMENT =
      Pattern.compile("(?m)^\\[(\\d+)\\] ?LOG:  execute [^:]+: (\\w+(?: INTO \\w+)?)");

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
                "SELECT",
                "SELECT",
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
    Log log = Log.fromNow(Path.of(Names.variable("it.postgres.log")));
    work.run();
    List<List<String>> found = new ArrayList<>();
    eventually(
        () -> {
          found.clear();
          found.addAll(booking(log.text()));
          assertThat(found).hasSize(expected);
        });
    return found;
  }

  private static List<List<String>> booking(String log) {
    List<List<String>> transactions = new ArrayList<>();
    STATEMENT.matcher(log).results().collect(groupingBy(line -> line.group(1))).values().stream()
        .forEach(session -> transactions.addAll(transactions(session)));
    return transactions.stream()
        .filter(it -> it.contains("INSERT INTO batch_ledger") && it.contains("COMMIT"))
        .toList();
  }

  private static List<List<String>> transactions(List<MatchResult> session) {
    List<List<String>> transactions = new ArrayList<>();
    for (MatchResult line : session) {
      if (transactions.isEmpty() || line.group(2).equals("BEGIN")) {
        transactions.add(new ArrayList<>());
      }
      transactions.get(transactions.size() - 1).add(line.group(2));
    }
    return transactions;
  }
}
