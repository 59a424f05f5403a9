package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationTest {
  private static final String NOTE =
      "UPDATE postbox_schema SET minor_version = 1 WHERE module = 'inbox' AND version = 1 AND minor_version = 0";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE IF NOT EXISTS inbox_x (\n  id INTEGER NOT NULL)",
        "CREATE INDEX IF NOT EXISTS inbox_x_ix ON inbox_x (id)",
        "ALTER TABLE inbox_x ADD COLUMN IF NOT EXISTS a VARCHAR(20)",
        "ALTER TABLE inbox_x ADD COLUMN IF NOT EXISTS a VARCHAR(20) COLLATE \"C\"",
        "ALTER TABLE inbox_x\n  ADD COLUMN IF NOT EXISTS a INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE inbox_x ADD COLUMN IF NOT EXISTS a VARCHAR(9) DEFAULT 'A'"
      })
  void statementsThatOlderNodesDoNotNoticeAreAllowed(String statement) {
    assertThat(Migration.problems(List.of(statement, NOTE), "inbox", 1)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE inbox_x (id INTEGER NOT NULL)",
        "CREATE UNIQUE INDEX IF NOT EXISTS inbox_x_uk ON inbox_x (id)",
        "ALTER TABLE inbox_x ADD COLUMN a VARCHAR(20)",
        "ALTER TABLE inbox_x ADD COLUMN IF NOT EXISTS a INTEGER NOT NULL",
        "ALTER TABLE inbox_x ADD COLUMN IF NOT EXISTS a TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()",
        "ALTER TABLE inbox_x DROP COLUMN a",
        "DROP INDEX inbox_x_ix",
        "UPDATE inbox_x SET a = 1"
      })
  void nothingElseIs(String statement) {
    assertThat(Migration.problems(List.of(statement, NOTE), "inbox", 1)).hasSize(1);
  }

  @Test
  void itMustNoteTheNewVersion() {
    assertThat(Migration.problems(List.of(NOTE), "outbox", 1)).hasSize(1);
    assertThat(Migration.problems(List.of(NOTE), "inbox", 2)).hasSize(1);
  }
}
