package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.model.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What an order of the sample costs its database, from the request to shipment and invoice: three
 * messages, of which one is captured. The databases log each statement; what is not done for at
 * least one order in five belongs to the clock and not to the orders, and is left out.
 */
@Tag("full")
class OrderCostIT {
  private static final int WARM_UP = 20;
  private static final int ORDERS = 200;

  /** The statement of one line of H2's trace, without its parameters. */
  private static final Pattern ON_H2 = Pattern.compile("^/\\*SQL[^*]*\\*/(.*?)( \\{1: .*)?;$");

  /** That of one line of PostgreSQL's log. */
  private static final Pattern ON_POSTGRESQL =
      Pattern.compile("LOG: {2}(?:execute [^:]*|statement): (.*)$");

  /** What ends a transaction, and with two phases is different each time. */
  private static final Pattern TRANSACTION_NAME =
      Pattern.compile("^((?:COMMIT|ROLLBACK) PREPARED|PREPARE TRANSACTION) .*$");

  /** What is durable. */
  private static final Pattern COMMITS = Pattern.compile("^(COMMIT$|PREPARE TRANSACTION)");

  /** What does no work of its own. */
  private static final Pattern FRAMES = Pattern.compile("^(BEGIN|SET|ROLLBACK|COMMIT PREPARED)");

  private final Settings settings = Settings.read();

  /** Statements and durable commits for each order. */
  private record Cost(double statements, double commits) {
    static Cost of(Map<String, Integer> executed) {
      Map<Boolean, Integer> often =
          executed.entrySet().stream()
              .filter(each -> each.getValue() >= ORDERS / 5)
              .filter(each -> !FRAMES.matcher(each.getKey()).find())
              .collect(
                  Collectors.partitioningBy(
                      each -> COMMITS.matcher(each.getKey()).find(),
                      Collectors.summingInt(Map.Entry::getValue)));
      return new Cost(often.get(false) / (double) ORDERS, often.get(true) / (double) ORDERS);
    }
  }

  @Test
  void anOrderCostsSoMuchOnH2() throws IOException {
    try (Nodes nodes = Nodes.onH2(settings, "cost-h2", Map.of())) {
      nodes.get(0).liberty().override("trace.xml", TRACED);
      Path log = nodes.get(0).folder().h2().resolve("postbox.trace.db");
      Map<String, Integer> executed = executed(nodes, log, ON_H2);
      Cost cost = Cost.of(executed);
      assertThat(cost.statements()).as(() -> explain(executed)).isBetween(20.0, 40.0);
      assertThat(cost.commits()).as(() -> explain(executed)).isBetween(5.0, 12.0);
    }
  }

  @Test
  void anOrderCostsSoMuchOnPostgres() throws IOException, SQLException {
    PostgresDatabase database = new PostgresDatabase(settings.work().resolve("cost-data"));
    try (Nodes nodes =
        Nodes.one(settings, "cost-postgresql", database, MessageBroker.EMBEDDED, Map.of())) {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER SYSTEM SET log_statement = 'all'");
        statement.execute("SELECT pg_reload_conf()");
      }
      Map<String, Integer> executed = executed(nodes, database.log(), ON_POSTGRESQL);
      Cost cost = Cost.of(executed);
      assertThat(cost.statements()).as(() -> explain(executed)).isBetween(20.0, 40.0);
      assertThat(cost.commits()).as(() -> explain(executed)).isBetween(5.0, 10.0);
    }
  }

  private static final String TRACED =
      """
      <server>
        <dataSource id="DefaultDataSource">
          <properties URL="jdbc:h2:file:${postbox.data}/h2/postbox;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=2;TRACE_MAX_FILE_SIZE=1000"
                      user="sa" password=""/>
        </dataSource>
      </server>
      """;

  /** How often each statement was executed while the orders went all the way. */
  private static Map<String, Integer> executed(Nodes nodes, Path log, Pattern pattern)
      throws IOException {
    nodes.start();
    nodes.order(nodes.get(0), WARM_UP);
    nodes.awaitRest();
    int before = Math.toIntExact(Files.size(log));
    nodes.order(nodes.get(0), ORDERS);
    nodes.awaitRest();
    byte[] all = Files.readAllBytes(log);
    String after = new String(all, before, all.length - before, StandardCharsets.UTF_8);
    Map<String, Integer> executed = new TreeMap<>();
    try (Stream<String> lines = after.lines()) {
      lines
          .map(pattern::matcher)
          .filter(Matcher::find)
          .map(line -> TRANSACTION_NAME.matcher(line.group(1).strip()).replaceFirst("$1"))
          .forEach(statement -> executed.merge(statement, 1, Integer::sum));
    }
    List<Violation> violations = nodes.check();
    assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    return executed;
  }

  private static String explain(Map<String, Integer> executed) {
    return executed.entrySet().stream()
        .filter(each -> each.getValue() >= ORDERS / 5)
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .map(each -> "%.2f  %s".formatted(each.getValue() / (double) ORDERS, each.getKey()))
        .collect(Collectors.joining("\n", "executed for each order:\n", "\n"));
  }
}
