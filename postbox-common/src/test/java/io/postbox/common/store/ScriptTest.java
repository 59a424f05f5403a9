package io.postbox.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.Script.Creation.Kind;
import io.postbox.common.store.Script.Index;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScriptTest {
  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS inbox_switch (
        destination VARCHAR(100) NOT NULL,
        turned_by   VARCHAR(100),
        CONSTRAINT inbox_switch_pk PRIMARY KEY (destination)
      )\
      """;
  private static final String INDEX =
      "CREATE INDEX IF NOT EXISTS inbox_switch_ix\n  ON inbox_switch (turned_by, destination)";

  private final Script script = new Script(List.of(TABLE, INDEX));

  @Test
  void oneThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Script.read(Script.class, "META-INF/postbox/derby/inbox.sql"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("META-INF/postbox/derby/inbox.sql is missing in the jar");
  }

  @Test
  void schemaAndPrefixStandBeforeTheNamesThatTakeThem() {
    assertThat(script.statements(new TableNames("shop", "pb_")))
        .containsExactly(
            TABLE
                .replace("EXISTS inbox_switch", "EXISTS shop.pb_inbox_switch")
                .replace("inbox_switch_pk", "pb_inbox_switch_pk"),
            INDEX
                .replace("inbox_switch_ix", "pb_inbox_switch_ix")
                .replace("ON inbox_switch", "ON shop.pb_inbox_switch"));
    assertThat(script.statements(new TableNames("", ""))).containsExactly(TABLE, INDEX);
  }

  @Test
  void itKnowsWhatEachStatementMakes() {
    assertThat(script.creations(new TableNames("shop", "pb_")))
        .extracting(Script.Creation::made)
        .containsExactly("pb_inbox_switch", "pb_inbox_switch_ix");
    assertThat(script.creations(new TableNames("shop", "pb_")))
        .extracting(Script.Creation::sql)
        .isEqualTo(script.statements(new TableNames("shop", "pb_")));
    Script drops = new Script(List.of("DROP TABLE inbox_switch"));
    assertThatThrownBy(() -> drops.creations(new TableNames("", "")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DROP TABLE inbox_switch");
  }

  @Test
  void itKnowsWhatAMigrationAdds() {
    Script adds =
        new Script(
            List.of(
                "ALTER TABLE inbox_switch ADD COLUMN IF NOT EXISTS why VARCHAR(9)",
                "UPDATE postbox_schema SET minor_version = 1 WHERE module = 'inbox'"));

    assertThat(adds.creations(new TableNames("shop", "pb_")))
        .containsExactly(
            new Creation(
                Kind.COLUMN,
                "pb_inbox_switch.why",
                "ALTER TABLE shop.pb_inbox_switch ADD COLUMN IF NOT EXISTS why VARCHAR(9)"),
            new Creation(
                Kind.NOTE,
                "pb_postbox_schema",
                "UPDATE shop.pb_postbox_schema SET minor_version = 1 WHERE module = 'inbox'"));
    assertThat(adds.columnsByTable()).containsExactly(entry("inbox_switch", Set.of("why")));
  }

  @Test
  void itKnowsTheColumnsOfItsTables() {
    assertThat(script.columnsByTable())
        .containsExactly(entry("inbox_switch", Set.of("destination", "turned_by")));
  }

  @Test
  void itKnowsItsIndexes() {
    assertThat(script.indexes())
        .containsExactly(
            new Index("inbox_switch_pk", "inbox_switch", List.of("destination"), true),
            new Index(
                "inbox_switch_ix", "inbox_switch", List.of("turned_by", "destination"), false));
  }

  @Test
  void aNumberOfItsOwnKeepsNoRowOut() {
    Script numbered =
        new Script(List.of(TABLE.replace("PRIMARY KEY (destination)", "PRIMARY KEY (id)")));

    assertThat(numbered.indexes()).isEmpty();
  }

  @Test
  void anIndexIsServedByOneThatBeginsWithItsColumns() {
    Index index = index("a", "b");

    assertThat(index.isServedBy(index("a", "b"))).isTrue();
    assertThat(index.isServedBy(index("a", "b", "c"))).isTrue();
    assertThat(index.isServedBy(key("a", "b"))).isTrue();
    assertThat(index.isServedBy(index("a"))).isFalse();
    assertThat(index.isServedBy(index("b", "a"))).isFalse();
    assertThat(index.isServedBy(index("c", "a", "b"))).isFalse();
  }

  @Test
  void aKeyIsServedByAKeyOfTheSameColumnsAlone() {
    Index key = key("a", "b");

    assertThat(key.isServedBy(key("b", "a"))).isTrue();
    assertThat(key.isServedBy(key("a", "b", "c"))).isFalse();
    assertThat(key.isServedBy(index("a", "b"))).isFalse();
  }

  private static Index index(String... columns) {
    return new Index("i", "t", List.of(columns), false);
  }

  private static Index key(String... columns) {
    return new Index("k", "t", List.of(columns), true);
  }
}
