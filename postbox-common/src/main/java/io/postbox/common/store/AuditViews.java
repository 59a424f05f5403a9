package io.postbox.common.store;

import static io.postbox.common.store.SlicedSearch.Column.time;
import static io.postbox.common.store.SlicedSearch.Column.uuid;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch.Part;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The API's view of what people did. Reads only, by the index on times. Thread-safe. */
public final class AuditViews {
  private static final String COLUMNS =
      "m.id, m.at, m.module, m.service, m.action, m.principal, m.reason, m.subject, m.messages";

  private final Index byTime;

  public AuditViews(TableNames tables) {
    byTime = Index.of("audit", tables.qualified("postbox_audit"), time("at"), uuid("id"));
  }

  /**
   * One page of entries, the newest first.
   *
   * @throws IllegalArgumentException if the size is out of bounds, or the place to continue is not
   *     one of this filter
   */
  public LookupPage<AuditEntry> page(
      Connection connection, AuditFilter filter, String after, int size) throws SQLException {
    LookupPage.checkSize(size);
    Part entries = byTime.part(COLUMNS, Conditions.of(filter, Map.of("", "m.at"))).reversed();
    return SlicedSearch.page(connection, List.of(entries), (part, row) -> entry(row), after, size);
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getObject("id", UUID.class),
        Sql.instant(row, "at"),
        row.getString("module"),
        row.getString("service"),
        row.getString("action"),
        row.getString("principal"),
        row.getString("reason"),
        row.getString("subject"),
        row.getLong("messages"));
  }
}
