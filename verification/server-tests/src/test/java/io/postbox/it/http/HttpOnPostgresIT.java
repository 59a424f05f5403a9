package io.postbox.it.http;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.PostgresLog;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
@OnPostgres
class HttpOnPostgresIT extends HttpTests {
  @Test
  void aFirstRequestCostsFiveStatementsAndACommit() throws Exception {
    PostgresLog log = PostgresLog.fromNow();
    post("201", key, body);

    eventually(
        () ->
            assertThat(log.transactionsWith("INSERT INTO http_payment"))
                .containsExactly(
                    List.of(
                        "BEGIN",
                        "SET LOCAL",
                        "INSERT INTO http_pg_inbox_message",
                        "SET LOCAL",
                        "INSERT INTO http_payment",
                        "INSERT INTO http_pg_inbox_result",
                        "UPDATE http_pg_inbox_message",
                        "COMMIT")));
  }

  @Test
  void aRepeatCostsFourStatementsAndNoCommit() throws Exception {
    post("201", key, body);
    PostgresLog log = PostgresLog.fromNow();
    post("201", key, body);

    eventually(
        () ->
            assertThat(log.transactionsWith("INSERT INTO http_pg_inbox_message"))
                .containsExactly(
                    List.of(
                        "BEGIN",
                        "SET LOCAL",
                        "INSERT INTO http_pg_inbox_message",
                        "SET LOCAL",
                        "SELECT result",
                        "ROLLBACK")));
  }
}
