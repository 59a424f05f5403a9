package io.postbox.common.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rule for scripts that bring tables to the next minor version: older nodes go on with them.
 */
final class Migration {
  private static final Pattern TABLE_OR_INDEX =
      Pattern.compile("CREATE (TABLE|INDEX) IF NOT EXISTS \\w+.*", Pattern.DOTALL);

  /** A default that is computed would have PostgreSQL write all rows anew under a lock. */
  private static final Pattern COLUMN =
      Pattern.compile(
          "ALTER TABLE \\w+\\s+ADD COLUMN IF NOT EXISTS \\w+ \\w+(?:\\([\\d, ]+\\))?(?: COLLATE"
              + " \"C\")?(?: (?:NOT NULL )?DEFAULT (?:'[^']*'|\\d+|TRUE|FALSE))?");

  private Migration() {}

  /** The mistakes in a script's statements. */
  static List<String> problems(List<String> statements, String module, int minor) {
    List<String> problems = new ArrayList<>();
    String last = statements.get(statements.size() - 1).replaceAll("\\s+", " ");
    String note =
        "UPDATE postbox_schema SET minor_version = %s WHERE module = '%s' AND version = 1 AND minor_version = %s"
            .formatted(minor, module, minor - 1);
    if (!last.equals(note)) {
      problems.add("it does not end with: " + note);
    }
    for (String statement : statements.subList(0, statements.size() - 1)) {
      if (!TABLE_OR_INDEX.matcher(statement).matches() && !COLUMN.matcher(statement).matches()) {
        problems.add(
            "it may only create tables and indexes, and add columns that are nullable or have a"
                + " constant default: "
                + statement);
      }
    }
    return problems;
  }
}
