package io.postbox.inbox.store;

import io.postbox.inbox.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Counts what is kept aside. Thread-safe. */
public final class CountStore {
  private static final int LONGEST_COUNT_SECONDS = 60;

  private final String count;

  /** What a line of the count is about. The names are those in the statement. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED
  }

  /**
   * One line of the count.
   *
   * @param kind what was counted
   * @param consumer whose it is
   * @param rows how many
   */
  public record Line(Kind kind, String consumer, long rows) {}

  /**
   * @param tables where the tables are
   */
  public CountStore(TableNames tables) {
    count =
        """
        SELECT 'PARKED', consumer, COUNT(*) FROM %s GROUP BY consumer
        UNION ALL
        SELECT 'QUARANTINED', consumer, COUNT(*) FROM %s GROUP BY consumer
        """
            .formatted(tables.qualified("inbox_parked"), tables.qualified("inbox_quarantine"));
  }

  /** Counts in one statement, which gives up after a minute. */
  public List<Line> count(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setQueryTimeout(LONGEST_COUNT_SECONDS);
      List<Line> lines = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          lines.add(new Line(Kind.valueOf(rows.getString(1)), rows.getString(2), rows.getLong(3)));
        }
      }
      return List.copyOf(lines);
    }
  }
}
