package io.postbox.it.guard;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.PostgresLog;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OnPostgres
class GuardOnPostgresIT extends GuardTests {
  private static final String DATA_SOURCE = "jdbc/pg";
  private static final String ID = "INSERT INTO guard_pg_inbox_message";
  private static final String MESSAGE = "INSERT INTO guard_pg_inbox_stored";
  private static final String KEY = "INSERT INTO guard_pg_inbox_key";

  @Inject SuspendedTransaction suspended;

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

  /** Its own exceptions are checked, and nobody who asks for a suspension declares those. */
  @Test
  void theServersFailureAtTheEndOfASuspensionIsUnchecked() {
    String[] result = {""};

    assertThatThrownBy(
            () ->
                suspended.call(
                    () -> {
                      Connection left = Names.lookup(DATA_SOURCE, DataSource.class).getConnection();
                      left.setAutoCommit(false);
                      Database.at(DATA_SOURCE)
                          .column("SELECT pg_terminate_backend(?)", backendOf(left));
                      result[0] = "done";
                      return true;
                    }))
        .isInstanceOf(RuntimeException.class)
        .hasStackTraceContaining("com.ibm.ws.LocalTransaction");
    assertThat(result[0]).isEqualTo("done");
  }

  private static int backendOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
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
