package io.postbox.it.http;

import static io.postbox.it.tools.Eventually.eventually;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.OnPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
@OnPostgres
class HttpOnPostgresIT extends HttpTests {
  private static final Pattern STATEMENT =
      Pattern.compile("(?m)^\\[(\\d+)\\] ?LOG:  execute [^:]+: (\\w+(?: (?:INTO )?\\w+)?)");

  @Test
  void aFirstRequestCostsFiveStatementsAndACommit() throws Exception {
    Log log = Log.fromNow(Path.of(Names.variable("it.postgres.log")));
    post("201", key, body);

    eventually(
        () ->
            assertThat(transactions(log, "INSERT INTO http_payment"))
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
    Log log = Log.fromNow(Path.of(Names.variable("it.postgres.log")));
    post("201", key, body);

    eventually(
        () ->
            assertThat(transactions(log, "INSERT INTO http_pg_inbox_message"))
                .containsExactly(
                    List.of(
                        "BEGIN",
                        "SET LOCAL",
                        "INSERT INTO http_pg_inbox_message",
                        "SET LOCAL",
                        "SELECT result",
                        "ROLLBACK")));
  }

  /** Those with a statement. */
  private static List<List<String>> transactions(Log log, String with) {
    List<List<String>> all = new ArrayList<>();
    STATEMENT
        .matcher(log.text())
        .results()
        .collect(groupingBy(line -> line.group(1)))
        .values()
        .forEach(session -> all.addAll(transactions(session)));
    return all.stream().filter(it -> it.contains(with)).toList();
  }

  private static List<List<String>> transactions(List<MatchResult> session) {
    List<List<String>> transactions = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (MatchResult line : session) {
      open.add(line.group(2));
      if (Set.of("COMMIT", "ROLLBACK").contains(line.group(2))) {
        transactions.add(open);
        open = new ArrayList<>();
      }
    }
    return transactions;
  }
}
