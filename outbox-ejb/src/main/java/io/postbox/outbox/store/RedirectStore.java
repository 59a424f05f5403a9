package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.outbox.WaitingMessages.Redirect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The redirected destinations. Thread-safe. */
public final class RedirectStore {
  private final String insert;
  private final String delete;
  private final String redirects;

  public RedirectStore(TableNames tables) {
    String redirect = tables.qualified("outbox_redirect");
    insert =
        "INSERT INTO %s (destination, target, reason, principal) VALUES (?, ?, ?, ?)"
            .formatted(redirect);
    delete = "DELETE FROM %s WHERE destination = ?".formatted(redirect);
    redirects =
        "SELECT destination, target, reason, principal, since FROM %s ORDER BY destination"
            .formatted(redirect);
  }

  /** Redirects a destination; replaces an earlier redirect. */
  public void redirect(
      Connection connection, String destination, String target, String principal, String reason)
      throws SQLException {
    end(connection, destination);
    Sql.update(connection, insert, destination, target, reason, principal);
  }

  /** Ends a destination's redirect; false if there is none. */
  public boolean end(Connection connection, String destination) throws SQLException {
    return Sql.update(connection, delete, destination) == 1;
  }

  /** The redirects, by destination. */
  public List<Redirect> redirects(Connection connection) throws SQLException {
    return Sql.list(
        connection,
        redirects,
        row ->
            new Redirect(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                Sql.instant(row, 5)));
  }
}
