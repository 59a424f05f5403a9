package io.postbox.it.connection;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.tools.Database;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How one physical connection and one local commit show themselves. */
final class OneCommit {
  static final String POSTGRESQL_SESSION = "SELECT pg_backend_pid()";
  static final String H2_SESSION = "SELECT SESSION_ID()";
  private static final Pattern TRANSACTION =
      Pattern.compile("\\b(BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION)\\b");

  private OneCommit() {}

  /** All statements of the transaction went through one session of the database. */
  static void isOneSession(Sessions sessions) {
    assertThat(List.of(sessions.injected(), sessions.lookedUp()))
        .as("sessions of the injected and of the looked-up data source")
        .containsOnly(sessions.domain());
  }

  /**
   * Both rows were written by one transaction of PostgreSQL, which began once and committed once,
   * in one phase.
   *
   * @param prefix of the outbox's tables
   * @param name the article that is bought
   * @param buy does it
   * @return the transaction's lines in PostgreSQL's log
   */
  static List<String> isOneCommitInPostgres(String prefix, String name, Supplier<Sessions> buy) {
    Log log = Log.fromNow(Path.of(Names.variable("it.postgres.log")));
    Sessions sessions = buy.get();
    isOneSession(sessions);
    List<String> inserts =
        List.of("INSERT INTO connection_purchase", "INSERT INTO " + prefix + "outbox_message");
    List<String> found = new ArrayList<>();
    eventually(
        () -> {
          List<String> statements = log.lines("[" + sessions.domain() + "]");
          assertThat(transactions(statements).stream().filter(t -> containsAny(t, inserts)))
              .as("the session's transactions that wrote either row; its log: %s", statements)
              .singleElement()
              .satisfies(
                  t -> {
                    assertThat(inserts).allMatch(insert -> containsAny(t, List.of(insert)));
                    assertThat(t.stream().flatMap(OneCommit::transactionCommands))
                        .containsExactly("BEGIN", "COMMIT");
                    found.addAll(t);
                  });
        });
    assertThat(log.lines("PREPARE TRANSACTION")).isEmpty();
    Database database = Database.at("jdbc/pg");
    assertThat(database.value("SELECT xmin FROM connection_purchase WHERE name = ?", name))
        .as("the transaction that wrote the domain's row")
        .isEqualTo(
            database.value(
                "SELECT xmin FROM %soutbox_message WHERE payload_text = ?".formatted(prefix),
                name));
    return found;
  }

  /**
   * The session's statements, cut before each BEGIN and behind each end of a transaction. The pool
   * may lend the session to the modules' own housekeeping before or after the purchase, so the log
   * has their transactions too.
   */
  static List<List<String>> transactions(List<String> statements) {
    List<List<String>> transactions = new ArrayList<>();
    transactions.add(new ArrayList<>());
    for (String statement : statements) {
      List<String> commands = transactionCommands(statement).toList();
      if (commands.contains("BEGIN")) {
        transactions.add(new ArrayList<>());
      }
      transactions.get(transactions.size() - 1).add(statement);
      if (commands.stream().anyMatch(command -> !command.equals("BEGIN"))) {
        transactions.add(new ArrayList<>());
      }
    }
    transactions.removeIf(List::isEmpty);
    return transactions;
  }

  private static boolean containsAny(List<String> transaction, List<String> parts) {
    return transaction.stream().anyMatch(statement -> parts.stream().anyMatch(statement::contains));
  }

  private static Stream<String> transactionCommands(String line) {
    return TRANSACTION.matcher(line).results().map(MatchResult::group);
  }
}
