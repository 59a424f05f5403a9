package io.postbox.inbox.store;

import io.postbox.inbox.store.PlanRecorder.Execution;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many pages a descent of each index reads, from its root to a leaf. */
record IndexDepths(List<Index> indexes) {
  private static final String ALL =
      """
      SELECT i.relname, t.relname, x.indisunique, (SELECT fastlevel FROM bt_metap(i.relname)) + 1
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE t.relname LIKE 'inbox%' AND i.relkind = 'i'
      """;

  private record Index(String name, String table, boolean isUnique, int pages) {}

  /**
   * The present depths of the indexes.
   *
   * @param connection of a superuser, to a PostgreSQL with the extension pageinspect
   */
  static IndexDepths of(Connection connection) throws SQLException {
    List<Index> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ALL)) {
      while (row.next()) {
        found.add(new Index(row.getString(1), row.getString(2), row.getBoolean(3), row.getInt(4)));
      }
    }
    return new IndexDepths(found);
  }

  /**
   * How often an execution descended each index. A row goes into every index of its table, and so
   * does its new version after an update of what is in an index; one that may be there already is
   * looked for in each unique one before.
   *
   * @param table the one with the row, if it is an insert
   */
  Map<String, Integer> descents(Execution execution, String table) {
    Map<String, Integer> descents = new TreeMap<>(execution.searches());
    for (Index index : indexes) {
      if (execution.isInsert() && index.table.equals(table)) {
        int first = execution.isInsertIfAbsent() && index.isUnique ? 1 : 0;
        descents.merge(index.name, first + (execution.wasThere() ? 0 : 1), Integer::sum);
      } else if (execution.isUpdate() && index.table.equals(table)) {
        descents.merge(index.name, 1, Integer::sum);
      }
    }
    return descents;
  }

  /** How many pages so many descents read. */
  int pages(Map<String, Integer> descents) {
    return indexes.stream()
        .mapToInt(index -> index.pages * descents.getOrDefault(index.name, 0))
        .sum();
  }
}
