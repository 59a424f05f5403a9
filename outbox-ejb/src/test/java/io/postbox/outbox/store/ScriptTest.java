package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.postbox.common.config.TableNames;
import io.postbox.outbox.store.Script.Index;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScriptTest {
  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS outbox_switch (
        destination VARCHAR(100) NOT NULL,
        turned_by   VARCHAR(100),
        CONSTRAINT outbox_switch_pk PRIMARY KEY (destination)
      )""";
  private static final String INDEX =
      "CREATE INDEX IF NOT EXISTS outbox_switch_ix\n  ON outbox_switch (turned_by, destination)";

  private final Script script = new Script(List.of(TABLE, INDEX));

  @Test
  void itIsReadStatementByStatementWithoutItsComments() {
    for (Dialect dialect : Dialect.values()) {
      List<String> statements = Script.read(dialect.script()).statements();

      assertThat(statements)
          .hasSizeGreaterThan(10)
          .allSatisfy(
              statement ->
                  assertThat(statement).doesNotContain("--", ";").isEqualTo(statement.strip()));
      assertThat(statements.get(0)).startsWith("CREATE TABLE IF NOT EXISTS postbox_schema (");
    }
  }

  @Test
  void oneThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Script.read("META-INF/postbox/derby/outbox.sql"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("META-INF/postbox/derby/outbox.sql is missing in the outbox's jar");
  }

  @Test
  void schemaAndPrefixStandBeforeTheNamesThatTakeThem() {
    assertThat(script.statements(new TableNames("shop", "pb_")))
        .containsExactly(
            TABLE
                .replace("EXISTS outbox_switch", "EXISTS shop.pb_outbox_switch")
                .replace("outbox_switch_pk", "pb_outbox_switch_pk"),
            INDEX
                .replace("outbox_switch_ix", "pb_outbox_switch_ix")
                .replace("ON outbox_switch", "ON shop.pb_outbox_switch"));
    assertThat(script.statements(new TableNames("", ""))).containsExactly(TABLE, INDEX);
  }

  @Test
  void itKnowsTheColumnsOfItsTables() {
    assertThat(script.columnsByTable())
        .containsExactly(entry("outbox_switch", Set.of("destination", "turned_by")));
  }

  @Test
  void itKnowsItsIndexes() {
    assertThat(script.indexes())
        .containsExactly(
            new Index("outbox_switch_ix", "outbox_switch", List.of("turned_by", "destination")));
  }

  @Test
  void anIndexIsServedByOneThatBeginsWithItsColumns() {
    Index index = new Index("i", "t", List.of("a", "b"));

    assertThat(index.isServedBy(List.of("a", "b"))).isTrue();
    assertThat(index.isServedBy(List.of("a", "b", "c"))).isTrue();
    assertThat(index.isServedBy(List.of("a"))).isFalse();
    assertThat(index.isServedBy(List.of("b", "a"))).isFalse();
    assertThat(index.isServedBy(List.of("c", "a", "b"))).isFalse();
  }
}
