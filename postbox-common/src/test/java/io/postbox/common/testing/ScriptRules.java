package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules for the scripts that create a module's tables. */
public abstract class ScriptRules {
  private final Class<?> owner;
  private final String module;
  private final List<String> busyTables;

  /**
   * @param owner a class of the module's jar
   * @param module outbox or inbox
   * @param busyTables tables whose rows change all day long
   */
  protected ScriptRules(Class<?> owner, String module, List<String> busyTables) {
    this.owner = owner;
    this.module = module;
    this.busyTables = List.copyOf(busyTables);
  }

  @Test
  void eachIsReadStatementByStatementWithoutItsComments() {
    for (Dialect dialect : Dialect.values()) {
      List<String> statements = statements(dialect);

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
    List<String> statements = statements(Dialect.POSTGRESQL);

    assertThat(busyTables).isNotEmpty();
    for (String table : busyTables) {
      assertThat(statements)
          .filteredOn(it -> it.startsWith("CREATE TABLE IF NOT EXISTS " + table + " ("))
          .singleElement()
          .asString()
          .containsPattern("autovacuum_vacuum_scale_factor = 0(\\.0[12])?[,)]");
    }
  }

  private List<String> statements(Dialect dialect) {
    return Script.read(owner, dialect.script(module)).statements();
  }
}
