package io.postbox.it.tools;

import static java.util.stream.Collectors.groupingBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The statements that PostgreSQL has executed since a moment, each by its first words.
 *
 * @param log its log from then on
 */
public record PostgresLog(Log log) {
  private static final Pattern STATEMENT =
      Pattern.compile("(?m)^\\[(\\d+)\\] ?LOG:  execute [^:]+: (\\w+(?: (?:INTO )?\\w+)?)");

  /** From now on. */
  public static PostgresLog fromNow() {
    return new PostgresLog(Log.fromNow(Path.of(Names.variable("it.postgres.log"))));
  }

  /** The transactions that have ended and have a statement that begins with these words. */
  public List<List<String>> transactionsWith(String statement) {
    List<List<String>> all = new ArrayList<>();
    STATEMENT
        .matcher(log.text())
        .results()
        .collect(groupingBy(line -> line.group(1)))
        .values()
        .forEach(session -> all.addAll(transactions(session)));
    return all.stream().filter(it -> it.contains(statement)).toList();
  }

  private static List<List<String>> transactions(List<MatchResult> session) {
    List<List<String>> transactions = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (MatchResult line : session) {
      if (line.group(2).equals("BEGIN")) {
        open = new ArrayList<>(); // the statements before committed by themselves
      }
      open.add(line.group(2));
      if (Set.of("COMMIT", "ROLLBACK").contains(line.group(2))) {
        transactions.add(open);
        open = new ArrayList<>();
      }
    }
    return transactions;
  }
}
