package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.HotTables.GENERIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.relay.HotTables.Node;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How PostgreSQL executes each statement of the relay on a hundred thousand waiting messages, by
 * the plans that it really used.
 */
class RelayPlanTest {
  private static final int MANY = 100_000;
  private static final int FOLLOWERS = 50_000;

  /** The planner's knowledge of the tables. */
  enum Known {
    /** Nothing: they were made a moment ago. */
    NOTHING,
    /** That they are empty, which they were when it looked. */
    EMPTY,
    /** Their contents. */
    ALL
  }

  private static final Set<String> SMALL_TABLES =
      Set.of("outbox_partition", "outbox_switch", "outbox_redirect", "outbox_held_key");

  /** The tables that it first knows nothing of are the same that it then knows all of. */
  @ParameterizedTest
  @EnumSource(names = {"NOTHING", "EMPTY"})
  void everyStatementFindsMessagesThroughAnIndexAndSortsNone(Known first) throws Exception {
    HotTables tables = new HotTables();
    if (first == Known.EMPTY) {
      tables.analyse();
    }
    tables.fill(MANY, "d", "PENDING");
    tables.fillFailures(MANY / 10);
    int untouched = assertLivesAreQuick(tables, first, 0);
    if (first == Known.NOTHING) {
      tables.analyse();
      assertLivesAreQuick(tables, Known.ALL, untouched);
    }
  }

  /** Returns the first partition that nobody has touched then. */
  private static int assertLivesAreQuick(HotTables tables, Known known, int untouched)
      throws Exception {
    int partition = untouched;
    for (AfterSending afterSending : AfterSending.values()) {
      for (String settings : List.of("", GENERIC)) {
        List<Execution> life = aLife(tables, tables.node(afterSending, settings), partition++);
        assertThat(statements(life))
            .as("the test executes every statement")
            .hasSize(afterSending == AfterSending.ARCHIVE ? 17 : 16);
        assertThat(life)
            .as("with %s known, %s %s", known, afterSending, settings)
            .allSatisfy(execution -> assertQuick(execution, known));
      }
    }
    return partition;
  }

  @ParameterizedTest
  @EnumSource
  void releasingAKeyWithVeryManyFollowersTouchesOneSliceOfThem(Known known) throws Exception {
    HotTables tables = new HotTables();
    if (known == Known.EMPTY) {
      tables.analyse();
    }
    tables.fillBehindAHead(FOLLOWERS, "d", "k");
    if (known == Known.ALL) {
      tables.analyse();
    }

    List<Execution> pass = tables.node(AfterSending.DELETE, GENERIC).pass(0, "d");

    assertThat(statements(pass))
        .as("claim, read, complete, choose, put back, forget, drain, note")
        .hasSize(8);
    assertThat(tables.rows.countMessages("status = 'PENDING'")).isEqualTo(1_000);
    assertThat(pass)
        .allSatisfy(
            execution ->
                assertThat(execution.steps())
                    .as(execution.sql())
                    .noneMatch(step -> step.equals("Seq Scan outbox_message"))
                    .noneMatch(step -> step.contains("Sort") && followers(execution)));
    assertThat(HotTables.pages(pass)).as("%s", pass).isLessThan(FOLLOWERS / 2);
  }

  private static boolean followers(Execution execution) {
    return execution.sql().contains("'HELD'");
  }

  /** One of everything that a relay does, in a partition that nobody has touched yet. */
  private static List<Execution> aLife(HotTables tables, Node node, int partition)
      throws Exception {
    List<Execution> life = new ArrayList<>(node.poll());
    life.addAll(node.pass(partition, "d"));
    long head = HotTables.BATCH * (long) HotTables.PARTITIONS + partition + 1;
    node.broker.rejects.add(head); // with nine more of its key behind it
    life.addAll(node.pass(partition, "d")); // an attempt is counted, and the key is held
    life.addAll(node.pass(partition, "d")); // so are its followers
    tables.rows.execute("UPDATE outbox_message SET due_at = created_at WHERE status = 'DELAYED'");
    life.addAll(node.wakeDelayed());
    node.broker.heal();
    life.addAll(node.pass(partition, "d")); // the head goes, and lets them go
    life.addAll(node.first(partition, "d"));
    return life;
  }

  private static Set<String> statements(List<Execution> life) {
    Set<String> statements = new HashSet<>();
    life.forEach(execution -> statements.add(execution.sql()));
    return statements;
  }

  private static void assertQuick(Execution execution, Known known) {
    // Of delayed messages it knows how many there are only once it has counted.
    boolean guesses = execution.sql().contains("'DELAYED'") && known != Known.ALL;
    assertThat(execution.steps())
        .as(execution.sql())
        .noneMatch(step -> step.startsWith("Seq Scan") && !SMALL_TABLES.contains(table(step)))
        .noneMatch(step -> step.contains("Sort") && !guesses)
        // Of a message's failures, eleven at most, it may find all before it reads them.
        .noneMatch(
            step -> step.startsWith("Bitmap") && !guesses && !step.contains("outbox_failure"));
    assertThat(execution.rowsFilteredOut())
        .as("rows passed over by %s", execution.sql())
        .isLessThanOrEqualTo(2 * HotTables.PARTITIONS);
    assertThat(execution.pages())
        .as("pages of %s", execution.sql())
        .isLessThan(MANY / HotTables.PARTITIONS);
  }

  private static String table(String step) {
    return step.substring("Seq Scan ".length());
  }
}
