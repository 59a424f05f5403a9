package io.postbox.it.guard;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxRequest;
import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.PostgresLog;
import java.util.List;
import org.junit.jupiter.api.Test;

@OnPostgres
class GuardOnPostgresIT extends GuardTests {
  private static final String ID = "INSERT INTO guard_pg_inbox_message";
  private static final String MESSAGE = "INSERT INTO guard_pg_inbox_captured";
  private static final String KEY = "INSERT INTO guard_pg_inbox_captured_key";

  @Test
  void aMessageCostsTwoStatementsAndACommit() {
    costs(() -> guard.capture(request("clerk")), List.of("BEGIN", ID, MESSAGE, "COMMIT"));
  }

  @Test
  void anOrderingKeyCostsTwoStatementsAtFirstAndThenOne() {
    String key = text();
    costs(
        () -> {
          guard.capture(stopped("alone").orderedBy(key));
          guard.capture(request("alone").orderedBy(key));
        },
        List.of("BEGIN", ID, "SELECT consumer", KEY, MESSAGE, "COMMIT"),
        List.of("BEGIN", ID, "SELECT consumer", MESSAGE, "COMMIT"));
  }

  @Test
  void aDuplicateCostsThreeStatements() {
    InboxRequest request = request("clerk");
    guard.capture(request);
    PostgresLog log = PostgresLog.fromNow();
    guard.capture(request);

    eventually(
        () ->
            assertThat(log.transactionsWith(ID))
                .containsExactly(
                    List.of("BEGIN", ID, "SELECT fingerprint", "SELECT result", "COMMIT")));
  }

  @Test
  void aBatchCostsOneCommit() {
    costs(
        () -> guard.captureAll(List.of(request("clerk"), request("alone"), request("clerk"))),
        List.of("BEGIN", ID, MESSAGE, ID, MESSAGE, ID, MESSAGE, "COMMIT"));
  }

  /** The work's transactions with messages consist of these statements. */
  @SafeVarargs
  private static void costs(Runnable work, List<String>... transactions) {
    PostgresLog log = PostgresLog.fromNow();
    work.run();
    eventually(
        () -> assertThat(log.transactionsWith(MESSAGE)).containsExactlyInAnyOrder(transactions));
  }
}
