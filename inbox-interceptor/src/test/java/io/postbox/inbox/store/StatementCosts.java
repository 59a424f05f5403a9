package io.postbox.inbox.store;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.store.PlanRecorder.Execution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;

/**
 * How PostgreSQL executed each statement, several times, in one state of the tables. The usual
 * number of pages is the median: now and then an insert fills a page and has to find another one,
 * and the first after an ANALYZE reads the catalogue.
 */
record StatementCosts(Map<Use, List<Execution>> executions, IndexDepths depths) {
  /** An odd number, so that one of them is the median. */
  static final int TIMES = 5;

  /** The purpose of a statement, and the table that has its rows. */
  record Use(String purpose, String table) {}

  /** Executes what is to be one statement. */
  interface Statement {
    void on(Connection connection) throws SQLException;
  }

  /** The statements of a round, which need not be on the same rows as the round before. */
  interface Round {
    Map<Use, Statement> statements();
  }

  /** A statement that leaves no trace, so that the next one is on the same rows. */
  static Statement undone(Statement statement) {
    return on -> {
      on.setAutoCommit(false);
      try {
        statement.on(on);
      } finally {
        on.rollback();
        on.setAutoCommit(true);
      }
    };
  }

  static StatementCosts of(PlanRecorder recorder, Round round) throws SQLException {
    Map<Use, List<Execution>> executions = new LinkedHashMap<>();
    for (int time = 0; time < TIMES; time++) {
      for (Map.Entry<Use, Statement> use : round.statements().entrySet()) {
        recorder.take();
        use.getValue().on(recorder.connection());
        List<Execution> one = recorder.take();
        assertThat(one).as("statements for %s", use.getKey()).hasSize(1);
        executions.computeIfAbsent(use.getKey(), none -> new ArrayList<>()).addAll(one);
      }
    }
    return new StatementCosts(executions, IndexDepths.of(recorder.connection()));
  }

  /**
   * That nothing but the depth of the indexes costs a page: each statement has the plan that it had
   * on few rows (of two look-ups, either may be first), descends the same indexes as often, and
   * usually touches no more pages than then and those by which the descents have become longer.
   */
  void assertOnlyDepthCosts(StatementCosts few) {
    assertThat(executions.keySet()).isNotEmpty().isEqualTo(few.executions.keySet());
    SoftAssertions.assertSoftly(
        soft -> executions.keySet().forEach(use -> assertOnlyDepthCosts(soft, use, few)));
  }

  private void assertOnlyDepthCosts(SoftAssertions soft, Use use, StatementCosts few) {
    Execution before = few.usual(use);
    Execution now = usual(use);
    for (Execution any : all(use)) {
      soft.assertThat(any.plan())
          .as("plan for %s: %s", use, any)
          .containsExactlyInAnyOrderElementsOf(before.plan());
    }
    Map<String, Integer> descents = depths.descents(now, use.table);
    soft.assertThat(descents)
        .as("descents for %s: %s", use, now)
        .isNotEmpty()
        .isEqualTo(few.depths.descents(before, use.table));
    soft.assertThat(now.pages())
        .as("pages for %s, before %s, now %s", use, before, now)
        .isBetween(1L, before.pages() + depths.pages(descents) - few.depths.pages(descents));
  }

  private List<Execution> all(Use use) {
    return executions.getOrDefault(use, List.of());
  }

  private Execution usual(Use use) {
    return all(use).stream().sorted(comparingLong(Execution::pages)).toList().get(TIMES / 2);
  }

  /**
   * Writes down how many pages each statement usually touches, in both states, and how often it
   * descends an index.
   *
   * @param file in {@code target}
   */
  void tell(StatementCosts few, String file) throws IOException {
    StringBuilder told = new StringBuilder("| statement | few | many | descents |\n");
    told.append("| --- | ---: | ---: | --- |\n");
    for (Use use : executions.keySet()) {
      told.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  use.purpose,
                  few.usual(use).pages(),
                  usual(use).pages(),
                  depths.descents(usual(use), use.table)));
    }
    Files.writeString(Path.of("target", file), told.append('\n').append(depths).append('\n'));
  }
}
