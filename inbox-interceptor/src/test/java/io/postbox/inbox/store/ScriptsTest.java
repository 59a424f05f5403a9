package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptsTest {
  @Test
  void eachIsReadStatementByStatementWithoutItsComments() {
    for (Dialect dialect : Dialect.values()) {
      List<String> statements = Script.read(Schema.class, dialect.script("inbox")).statements();

      assertThat(statements)
          .hasSizeGreaterThan(10)
          .allSatisfy(
              statement ->
                  assertThat(statement).doesNotContain("--", ";").isEqualTo(statement.strip()));
      assertThat(statements.get(0)).startsWith("CREATE TABLE IF NOT EXISTS postbox_schema (");
    }
  }

  /** With PostgreSQL's default, a fifth of a table would be dead before a vacuum comes. */
  @Test
  void onPostgresqlWhatChangesAllDayLongIsVacuumedOften() {
    List<String> statements =
        Script.read(Schema.class, Dialect.POSTGRESQL.script("inbox")).statements();

    for (String table : List.of("inbox_message", "inbox_failure", "inbox_result", "inbox_count")) {
      assertThat(statements)
          .filteredOn(it -> it.startsWith("CREATE TABLE IF NOT EXISTS " + table + " ("))
          .singleElement()
          .asString()
          .containsPattern("autovacuum_vacuum_scale_factor = 0(\\.0[12])?[,)]");
    }
  }
}
