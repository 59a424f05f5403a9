package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The consumers of which the inbox remembers message ids. Thread-safe. */
public final class RememberedConsumers {
  /** How many names are read at most. */
  private static final int MOST = 1_000;

  private final String next;

  public RememberedConsumers(TableNames tables) {
    next =
        """
        SELECT consumer FROM %s
        WHERE consumer > ?
        ORDER BY consumer
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(tables.qualified("inbox_message"));
  }

  /** Their names, in order; one statement for each, by the index, however many ids there are. */
  public List<String> names(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(next)) {
      String last = "";
      while (names.size() < MOST) {
        statement.setString(1, last);
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next()) {
            break;
          }
          last = row.getString(1);
        }
        names.add(last);
      }
    }
    return names;
  }
}
