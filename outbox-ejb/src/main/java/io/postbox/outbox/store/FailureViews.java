package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.DistinctValues.Source;
import io.postbox.common.store.RecordedFailures;
import io.postbox.common.store.Sql;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The failures of attempts to send. Of a message the first one and the last ten are kept. */
public final class FailureViews extends RecordedFailures<FailedAttempt, FailureGroup> {
  private static final String COLUMNS =
      """
      f.message_id, f.failure_no, f.destination, f.attempt, f.dead, f.node, f.failed_at,
      f.error_class, f.error, f.frame, f.signature\
      """;

  private final StoredErrors errors;

  public FailureViews(Dialect dialect, TableNames tables, StoredErrors errors) {
    super(
        dialect,
        COLUMNS,
        tables.qualified("outbox_failure"),
        "f.message_id = ? ORDER BY f.failure_no",
        List.of(
            new Source(tables.qualified("outbox_message"), "status = 'DEAD'"),
            new Source(tables.qualified("outbox_message"), "status = 'DELAYED'")));
    this.errors = errors;
  }

  @Override
  protected FailureGroup group(
      String signature,
      long failures,
      Optional<Instant> first,
      Optional<FailedAttempt> latest,
      List<Long> messages) {
    return new FailureGroup(signature, failures, first, latest, messages.get(0), messages.get(1));
  }

  @Override
  protected FailedAttempt attempt(ResultSet row) throws SQLException {
    String destination = row.getString("destination");
    String signature = row.getString("signature");
    return new FailedAttempt(
        row.getObject("message_id", UUID.class),
        row.getInt("failure_no"),
        destination,
        row.getInt("attempt"),
        row.getBoolean("dead"),
        row.getString("node"),
        Sql.instant(row, "failed_at"),
        row.getString("error_class"),
        errors.openOrTell(destination, signature, row.getString("error")),
        row.getString("frame"),
        signature);
  }
}
