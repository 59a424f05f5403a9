package io.postbox.inbox.store;

import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasurePlace.Candidate;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.store.CapturedErasure.Found;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds and erases what the inbox has of a message, an aggregate or a person. Thread-safe. */
public final class ErasureStore {
  private final ErasureParts parts;
  private final ErasedRecords records;
  private final ConsumerNames known;
  private final ConsumerNames ordered;
  private final CapturedErasure captured;
  private final String emptyHandled;
  private final String emptyResults;
  private final String deleteResults;
  private final String emptyFailures;
  private final String emptyFailure;
  private final String forgetVersions;
  private final String forgetDiscarded;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param contents converts contents to columns
   * @param isOrdered whether a consumer handles versions in their order
   */
  public ErasureStore(
      Dialect dialect, TableNames tables, KeptContents contents, Predicate<String> isOrdered) {
    parts = new ErasureParts(tables);
    records = new ErasedRecords("inbox", tables);
    captured =
        new CapturedErasure(
            tables,
            new CapturedStore(dialect, tables, contents),
            new VersionStore(dialect, tables),
            isOrdered);
    known = ConsumerNames.ofMessages(dialect, tables);
    ordered = ConsumerNames.ofAggregates(dialect, tables);
    emptyHandled =
        """
        UPDATE %s SET data_subject = NULL, headers = '%s"' || CAST(%s AS VARCHAR) || '"}'
        WHERE consumer = ? AND message_id = ? AND headers NOT LIKE '%s%%'
        """
            .formatted(
                tables.qualified("inbox_message"),
                ErasureParts.ERASED,
                utc(dialect),
                ErasureParts.ERASED);
    emptyResults =
        """
        UPDATE %s SET result = '', sealed_result = NULL, reply_to = NULL
        WHERE consumer = ? AND message_id = ? AND effect <> '%s'
        """
            .formatted(tables.qualified("inbox_result"), ResultStore.REPLY);
    deleteResults =
        """
        DELETE FROM %s r WHERE r.consumer = ? AND r.message_id = ?
          AND (r.effect = '%s' OR EXISTS (
            SELECT 1 FROM %s m
            WHERE m.consumer = r.consumer AND m.message_id = r.message_id AND m.outcome <> '%s'))
        """
            .formatted(
                tables.qualified("inbox_result"),
                ResultStore.REPLY,
                tables.qualified("inbox_message"),
                Outcome.CAPTURED);
    String emptied =
        "UPDATE %s SET reason = '', sealed_reason = NULL, signature = '', aggregate_type = NULL, aggregate_id = NULL, data_subject = NULL WHERE "
            .formatted(tables.qualified("inbox_failure"));
    emptyFailures = emptied + "consumer = ? AND message_id = ?";
    emptyFailure = emptied + "id = ?";
    String version =
        "DELETE FROM %s WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?";
    forgetVersions = version.formatted(tables.qualified("inbox_aggregate"));
    forgetDiscarded = version.formatted(tables.qualified("inbox_discarded"));
  }

  /** The present time in ISO 8601. */
  private static String utc(Dialect dialect) {
    return switch (dialect) {
      case H2 -> "FORMATDATETIME(CURRENT_TIMESTAMP, 'yyyy-MM-dd''T''HH:mm:ss''Z''', 'en', 'UTC')";
      case POSTGRESQL ->
          "TO_CHAR(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')";
    };
  }

  /** Finds and erases a target in operators' records. */
  public ErasedRecords records() {
    return records;
  }

  /** The row of a kept message. */
  public record Kept(long id, String consumer, String messageId) {}

  /**
   * How far a discard has come with some messages: another transaction has the next one.
   *
   * @param discarded how many were discarded
   * @param through how many of them, the first ones, are discarded or were gone; at least one
   */
  public record Done(int discarded, int through) {}

  /** Discards or otherwise erases rows that were found. */
  @FunctionalInterface
  public interface Change {
    /** Erases the first of some kept messages. */
    Done of(Connection connection, List<Long> ids) throws SQLException;
  }

  /** Messages that are not kept aside: captured ones, and those that go back to their queue. */
  public ErasurePlace<Long> captured(ErasureQuery query) {
    return place(
        "captured",
        connection -> parts.inWork(query, known.read(connection)),
        row -> row.getLong("id"),
        this::eraseCaptured);
  }

  private int eraseCaptured(Connection connection, List<Long> ids) throws SQLException {
    int erased = 0;
    for (long id : ids) {
      erased += BusyRows.unlessBusy(connection, it -> giveUp(it, id, false)).isPresent() ? 1 : 0;
    }
    for (int i = 0; erased == 0 && i < ids.size(); i++) { // nothing is locked, so nobody waits
      Savepoint before = connection.setSavepoint();
      if (giveUp(connection, ids.get(i), true).isPresent()) {
        erased++;
      } else {
        connection.rollback(before);
      }
    }
    return erased;
  }

  private Optional<Found> giveUp(Connection connection, long id, boolean waits)
      throws SQLException {
    Optional<Found> gone = captured.giveUp(connection, id, waits);
    String messageId = gone.map(Found::messageId).orElse(null);
    if (gone.isPresent() && messageId != null) {
      forget(connection, gone.get().consumer(), messageId);
    }
    return gone;
  }

  /**
   * Parked or quarantined messages.
   *
   * @param discard discards them, in order, as an operator's discard does
   */
  public ErasurePlace<Kept> kept(ErasureQuery query, Kind kind, Change discard) {
    boolean isParked = kind == Kind.PARKED;
    return place(
        isParked ? "parked" : "quarantined",
        connection -> parts.kept(query, kind),
        row ->
            new Kept(
                row.getLong("id"),
                row.getString("consumer"),
                Objects.requireNonNullElse(row.getString("message_id"), "")),
        (connection, rows) -> {
          int erased = 0;
          for (List<Kept> rest = rows; erased == 0 && !rest.isEmpty(); ) {
            Done done = discard.of(connection, rest.stream().map(Kept::id).toList());
            if (isParked) { // a quarantined one may have the id of another message
              for (Kept each : rest.subList(0, done.through())) {
                forget(connection, each.consumer(), each.messageId());
              }
            }
            erased = done.discarded();
            rest = rest.subList(done.through(), rest.size());
          }
          return erased;
        });
  }

  private record Id(String consumer, String messageId) {}

  /** Handled messages, with their replies and their effects' results. */
  public ErasurePlace<?> handled(ErasureQuery query) {
    return place(
        "handled",
        connection -> parts.handled(query, known.read(connection)),
        row -> new Id(row.getString("consumer"), row.getString("message_id")),
        (connection, rows) -> {
          int erased = 0;
          for (Id each : rows) {
            erased += forget(connection, each.consumer(), each.messageId());
          }
          return erased;
        });
  }

  /**
   * Empties what is known of a message besides its id, which stays. The results of outside effects
   * of one that is not done stay, under their names and as empty texts, so that none is repeated.
   */
  private int forget(Connection connection, String consumer, String messageId) throws SQLException {
    update(connection, emptyResults, consumer, messageId);
    update(connection, deleteResults, consumer, messageId);
    update(connection, emptyFailures, consumer, messageId);
    return update(connection, emptyHandled, consumer, messageId);
  }

  private record Failed(long id, String consumer, String messageId) {}

  /** Recorded failures, and the results of messages that are not handled yet. */
  public ErasurePlace<?> failures(ErasureQuery query) {
    return place(
        "failures",
        connection -> parts.failures(query, known.read(connection)),
        row ->
            new Failed(row.getLong("id"), row.getString("consumer"), row.getString("message_id")),
        (connection, rows) -> {
          try (PreparedStatement statement = connection.prepareStatement(emptyFailure)) {
            for (Failed each : rows) {
              statement.setLong(1, each.id());
              statement.addBatch();
            }
            statement.executeBatch();
          }
          for (Failed each : rows) {
            update(connection, emptyResults, each.consumer(), each.messageId());
            update(connection, deleteResults, each.consumer(), each.messageId());
          }
          return rows.size();
        });
  }

  /** An aggregate's rows in the orders of versions. */
  public List<ErasurePlace<?>> order(Aggregate aggregate) {
    return List.of(
        order("order", "inbox_aggregate", forgetVersions, aggregate),
        order("discarded-versions", "inbox_discarded", forgetDiscarded, aggregate));
  }

  private ErasurePlace<String> order(
      String name, String table, String delete, Aggregate aggregate) {
    return place(
        name,
        connection -> {
          List<String> consumers = ordered.read(connection);
          return consumers.isEmpty()
              ? List.of()
              : List.of(parts.order(table, aggregate, consumers));
        },
        row -> row.getString("consumer"),
        (connection, consumers) -> {
          int erased = 0;
          for (String consumer : consumers.stream().distinct().toList()) {
            try (PreparedStatement statement = connection.prepareStatement(delete)) {
              statement.setString(1, consumer);
              statement.setString(2, aggregate.type());
              statement.setString(3, aggregate.id());
              erased += statement.executeUpdate();
            }
          }
          return erased;
        });
  }

  private static int update(Connection connection, String sql, String consumer, String messageId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      return statement.executeUpdate();
    }
  }

  private interface Parts {
    List<Part> in(Connection connection) throws SQLException;
  }

  private interface Reader<R> {
    R of(ResultSet row) throws SQLException;
  }

  private interface Erasing<R> {
    int of(Connection connection, List<R> rows) throws SQLException;
  }

  private static <R> ErasurePlace<R> place(
      String name, Parts parts, Reader<R> reader, Erasing<R> erasing) {
    return new ErasurePlace<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public LookupPage<Candidate<R>> page(Connection connection, String after, int size)
          throws SQLException {
        List<Part> searched = new ArrayList<>(parts.in(connection));
        return SlicedSearch.page(
            connection,
            searched,
            (part, row) -> new Candidate<>(reader.of(row), name, SlicedSearch.after(part, row)),
            searched.stream().anyMatch(part -> after.startsWith(part.name() + ".")) ? after : "",
            size);
      }

      @Override
      public int erase(Connection connection, List<R> rows) throws SQLException {
        return erasing.of(connection, rows);
      }
    };
  }
}
