package io.postbox.common.store;

import static io.postbox.common.store.SlicedSearch.Column.time;
import static io.postbox.common.store.SlicedSearch.Column.uuid;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.AuditFilter.Criterion;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch.Condition;
import io.postbox.common.store.SlicedSearch.Part;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The API's view of what people did. Reads only, by the index on times. Thread-safe. */
public final class AuditViews {
  private static final String COLUMNS =
      "m.id, m.at, m.module, m.service, m.action, m.principal, m.reason, m.subject, m.messages";

  private final String table;

  /**
   * @param tables where the tables are
   */
  public AuditViews(TableNames tables) {
    table = tables.qualified("postbox_audit");
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
    return SlicedSearch.page(
        connection, List.of(part(filter)), (part, row) -> entry(row), after, size);
  }

  private Part part(AuditFilter filter) {
    List<Condition> base = new ArrayList<>();
    List<Condition> rest = new ArrayList<>();
    filter
        .criteria()
        .forEach(
            (criterion, value) ->
                (criterion == Criterion.FROM || criterion == Criterion.BEFORE ? base : rest)
                    .add(Condition.of(sql(criterion), value)));
    return new Part("audit", COLUMNS, table, base, "", List.of(time("at"), uuid("id")), true, rest);
  }

  private static String sql(Criterion criterion) {
    return switch (criterion) {
      case MODULE -> "m.module = ?";
      case ACTION -> "m.action = ?";
      case PRINCIPAL -> "m.principal = ?";
      case FROM -> "m.at >= ?";
      case BEFORE -> "m.at < ?";
    };
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getObject("id", UUID.class),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        row.getString("module"),
        row.getString("service"),
        row.getString("action"),
        row.getString("principal"),
        row.getString("reason"),
        row.getString("subject"),
        row.getLong("messages"));
  }
}
