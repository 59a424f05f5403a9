package io.postbox.inbox.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.common.store.Sql;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.store.CapturedErasure.Found;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds and erases what the inbox has of a message, an aggregate or a person. Thread-safe. */
public final class ErasureStore {
  /** Begins the headers of a handled message whose content was erased. */
  private static final String ERASED = "{\"erasedAt\":";

  private static final String KEPT =
      "m.id, m.consumer, m.message_id, m.aggregate_type, m.aggregate_id, m.data_subject";

  private static final String STORED = KEPT + ", m.variant, m.status, m.stored_at, m.kept_at";

  private static final String HANDLED =
      "m.consumer, m.message_id, m.data_subject, m.headers, m.processed_at";

  private static final String FAILURE = KEPT + ", m.reason, m.sealed_reason, m.failed_at";

  private final Indexes indexes;
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

  public ErasureStore(
      Dialect dialect, TableNames tables, KeptContents contents, Predicate<String> isOrdered) {
    indexes = new Indexes(tables);
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
            .formatted(tables.qualified("inbox_message"), ERASED, utc(dialect), ERASED);
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

  /** When the content of a handled message was erased; empty if its headers are its own. */
  static Optional<Instant> erasedAt(String headers) {
    return headers.startsWith(ERASED)
        ? Optional.of(Instant.parse(headers.substring(ERASED.length() + 1, headers.length() - 2)))
        : Optional.empty();
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

  /** The row of a kept message, or of a failure. */
  private record Row(long id, String consumer, String messageId) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(
          row.getLong("id"),
          row.getString("consumer"),
          Objects.requireNonNullElse(row.getString("message_id"), ""));
    }
  }

  /**
   * How far a discard or a hold has come with some messages: another transaction has the next one.
   *
   * @param discarded how many were discarded, or are held
   * @param through how many of them, the first ones, are done or were gone; at least one
   */
  public record Done(int discarded, int through) {}

  /** Discards or otherwise erases rows that were found. */
  @FunctionalInterface
  public interface Change {
    /** Erases the first of some kept messages. */
    Done of(Connection connection, List<Long> ids) throws SQLException;
  }

  /**
   * Where to look for a target, in the order in which it is erased: messages that still wait for a
   * handler or a person first, because erasing them leaves rows of handled messages.
   *
   * @param discards discards kept messages of a kind, in order, as an operator's discard does
   */
  public List<ErasurePlace<?>> places(ErasureQuery query, Function<Kind, Change> discards) {
    List<ErasurePlace<?>> places = new ArrayList<>();
    places.add(captured(query));
    for (Kind kind : List.of(Kind.PARKED, Kind.QUARANTINED)) {
      places.add(kept(query, kind, discards.apply(kind)));
    }
    places.add(handled(query));
    places.add(failures(query));
    if (query.target() instanceof Aggregate aggregate) {
      places.add(order("order", indexes.versions.get(0), forgetVersions, aggregate));
      places.add(order("discarded-versions", indexes.versions.get(1), forgetDiscarded, aggregate));
    }
    places.addAll(records.of(query.target()));
    return places;
  }

  /** The target, with the consumers among which ids are looked up. */
  private Conditions about(Connection connection, ErasureQuery query) throws SQLException {
    Conditions about = query.about("m.message_id", Sql::texts);
    return query.target() instanceof Messages ? about.and(whose(connection, known)) : about;
  }

  private static Condition whose(Connection connection, ConsumerNames consumers)
      throws SQLException {
    return Condition.equal("m.consumer", Sql.texts(consumers.read(connection)));
  }

  /** What distinguishes the parts of a place. */
  private static String by(ErasureQuery query) {
    return query.target() instanceof Messages
        ? "-ids"
        : query.target() instanceof DataSubject ? "-subject" : "-aggregate";
  }

  /** Messages that are not kept aside: captured ones, and those that go back to their queue. */
  public ErasurePlace<Long> captured(ErasureQuery query) {
    return ErasurePlace.of(
        "captured",
        connection -> {
          Conditions these =
              about(connection, query)
                  .and(Condition.of(StoredStatus.NOT_KEPT))
                  .and(query.until("m.stored_at").all());
          Part part = Index.first(indexes.inWork, these).part(STORED, these);
          return List.of(part.named("captured" + by(query)));
        },
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

  /** Parked or quarantined messages. */
  private ErasurePlace<Row> kept(ErasureQuery query, Kind kind, Change discard) {
    boolean isParked = kind == Kind.PARKED;
    String name = isParked ? "parked" : "quarantined";
    Conditions these =
        query
            .about("m.message_id", Sql::texts)
            .and(Condition.of(KeptRows.keptAside(kind)))
            .and(query.until("m.kept_at").all());
    Part part = Index.first(indexes.kept, these).part(STORED, these).named(name + by(query));
    return ErasurePlace.of(
        name,
        connection -> List.of(part),
        Row::of,
        (connection, rows) -> {
          int erased = 0;
          for (List<Row> rest = rows; erased == 0 && !rest.isEmpty(); ) {
            Done done = discard.of(connection, rest.stream().map(Row::id).toList());
            if (isParked) { // a quarantined one may have the id of another message
              for (Row each : rest.subList(0, done.through())) {
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
  private ErasurePlace<?> handled(ErasureQuery query) {
    return ErasurePlace.of(
        "handled",
        connection -> handledParts(connection, query),
        row -> new Id(row.getString("consumer"), row.getString("message_id")),
        (connection, rows) -> {
          int erased = 0;
          for (Id each : rows) {
            erased += forget(connection, each.consumer(), each.messageId());
          }
          return erased;
        });
  }

  /** By an aggregate all are read through. */
  private List<Part> handledParts(Connection connection, ErasureQuery query) throws SQLException {
    Conditions old =
        Conditions.of(Condition.of("m.headers NOT LIKE '%s%%'".formatted(ERASED)))
            .and(query.until("m.processed_at").all());
    if (query.target() instanceof Aggregate aggregate) {
      Conditions these =
          old.and(
              inHeaders("OutboxAggregateId", aggregate.id()),
              inHeaders("OutboxAggregateType", aggregate.type()));
      return known.read(connection).stream()
          .map(
              consumer ->
                  indexes
                      .handledInOrder
                      .part(HANDLED, these.and(Condition.equal("m.consumer", consumer)))
                      .named("handled-" + HexFormat.of().formatHex(consumer.getBytes(UTF_8))))
          .toList();
    }
    Conditions these = about(connection, query).and(old.all());
    return List.of(
        Index.first(indexes.handled, these).part(HANDLED, these).named("handled" + by(query)));
  }

  /** As the reader of deliveries writes it: in ASCII; no name there has control characters. */
  private static Condition inHeaders(String name, String value) {
    StringBuilder text = new StringBuilder("\"%s\":\"".formatted(name));
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c > '~') {
        text.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        text.append(c);
      }
    }
    return Condition.of(
        "POSITION(CAST(? AS VARCHAR) IN m.headers) > 0", text.append('"').toString());
  }

  /**
   * Empties what is known of a message besides its id, which stays. The results of outside effects
   * of one that is not done stay, under their names and as empty texts, so that none is repeated.
   */
  private int forget(Connection connection, String consumer, String messageId) throws SQLException {
    emptyResults(connection, consumer, messageId);
    Sql.update(connection, emptyFailures, consumer, messageId);
    return Sql.update(connection, emptyHandled, consumer, messageId);
  }

  private void emptyResults(Connection connection, String consumer, String messageId)
      throws SQLException {
    Sql.update(connection, emptyResults, consumer, messageId);
    Sql.update(connection, deleteResults, consumer, messageId);
  }

  /** Recorded failures, and the results of messages that are not handled yet. */
  private ErasurePlace<?> failures(ErasureQuery query) {
    String name = query.target() instanceof Messages ? "failure" : "failures";
    return ErasurePlace.of(
        "failures",
        connection -> {
          Conditions these =
              about(connection, query)
                  .and(Condition.of("(m.reason <> '' OR m.sealed_reason IS NOT NULL)"))
                  .and(query.until("m.failed_at").all());
          Part part = Index.first(indexes.failures, these).part(FAILURE, these);
          return List.of(part.named(name + by(query)));
        },
        Row::of,
        (connection, rows) -> {
          Sql.batch(connection, emptyFailure, rows, each -> new Object[] {each.id()});
          for (Row each : rows) {
            emptyResults(connection, each.consumer(), each.messageId());
          }
          return rows.size();
        });
  }

  /** An aggregate's rows in an order of versions. */
  private ErasurePlace<String> order(String name, Index index, String delete, Aggregate aggregate) {
    return ErasurePlace.of(
        name,
        connection ->
            List.of(
                index.part(
                    "m.consumer, m.version",
                    Conditions.of(
                        whose(connection, ordered),
                        Condition.equal("m.aggregate_type", aggregate.type()),
                        Condition.equal("m.aggregate_id", aggregate.id())))),
        row -> row.getString("consumer"),
        (connection, consumers) -> {
          int erased = 0;
          for (String consumer : consumers.stream().distinct().toList()) {
            erased += Sql.update(connection, delete, consumer, aggregate.type(), aggregate.id());
          }
          return erased;
        });
  }
}
