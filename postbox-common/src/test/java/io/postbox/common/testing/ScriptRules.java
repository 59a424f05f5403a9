package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Script;
import io.postbox.common.store.TableScripts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules for the scripts that create a module's tables. */
public abstract class ScriptRules {
  private static final Pattern CREATED = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+)");
  private static final Pattern DROPPED = Pattern.compile("DROP TABLE IF EXISTS (\\w+)");

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

  @Test
  void eachMigrationOnlyAdds() {
    for (Dialect dialect : Dialect.values()) {
      for (ClassLoader jar :
          List.of(owner.getClassLoader(), new NextTables(owner.getClassLoader(), 2))) {
        int minor = 0;
        String next = name(dialect, minor + 1);
        while (jar.getResource(next) != null) {
          minor++;
          assertThat(Migration.problems(Script.read(jar, next).statements(), module, minor))
              .as(next)
              .isEmpty();
          next = name(dialect, minor + 1);
        }
      }
    }
  }

  @Test
  void theLastOneDropsWhatTheFirstOneCreates() {
    for (Dialect dialect : Dialect.values()) {
      List<String> dropped = tables(DROPPED, Script.read(owner, drop(dialect)).statements());
      List<String> created = tables(CREATED, statements(dialect));

      assertThat(dropped).as(dialect.name()).doesNotContain("postbox_schema", "postbox_audit");
      assertThat(created)
          .containsAll(dropped)
          .filteredOn(table -> !dropped.contains(table))
          .containsExactlyInAnyOrder("postbox_schema", "postbox_audit");
    }
  }

  @Test
  void afterTheLastOneTheFirstOneCanRunAgain() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement()) {
      for (String script : List.of(Dialect.H2.script(module), drop(Dialect.H2))) {
        for (String sql : Script.read(owner, script).statements()) {
          statement.execute(sql);
        }
      }
      for (String sql : statements(Dialect.H2)) {
        statement.execute(sql);
      }
    }
  }

  private String drop(Dialect dialect) {
    return dialect.script(module + "-drop");
  }

  private static List<String> tables(Pattern statement, List<String> statements) {
    return statements.stream()
        .flatMap(sql -> statement.matcher(sql).results())
        .map(table -> table.group(1))
        .toList();
  }

  @Test
  void theDatabasesHaveTheSameVersion() {
    assertThat(Dialect.values())
        .extracting(
            dialect -> new TableScripts(owner.getClassLoader(), dialect, module, 1).version())
        .containsOnly(new TableScripts(owner.getClassLoader(), Dialect.H2, module, 1).version());
  }

  private String name(Dialect dialect, int minor) {
    return dialect.script("%s-1.%s".formatted(module, minor));
  }

  private List<String> statements(Dialect dialect) {
    return Script.read(owner, dialect.script(module)).statements();
  }
}
