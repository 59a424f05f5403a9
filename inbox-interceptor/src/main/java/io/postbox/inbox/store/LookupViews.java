package io.postbox.inbox.store;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.FoundMessage.Status;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.message.ParkReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The API's view of messages wherever they are, without their payloads. Reads only. Thread-safe.
 */
public final class LookupViews {
  /** How many unended attempts of one message are read at most. */
  private static final int MOST_ATTEMPTS = 100;

  private final SealedTexts texts;
  private final FailureViews failures;
  private final LookupParts parts;
  private final ConsumerNames consumers;
  private final String attempts;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param divided whether handled messages are divided by day
   * @param contents decrypts the recorded errors
   */
  public LookupViews(Dialect dialect, TableNames tables, boolean divided, KeptContents contents) {
    texts = contents.texts();
    failures = new FailureViews(dialect, tables, contents);
    parts = new LookupParts(tables, divided);
    consumers = ConsumerNames.ofMessages(dialect, tables);
    attempts =
        """
        SELECT m.consumer, m.node, m.begun_at
        FROM %s m
        WHERE m.consumer = ANY (?) AND m.message_id = ?
        ORDER BY m.id
        FETCH FIRST %s ROWS ONLY
        """
            .formatted(tables.qualified("inbox_attempt"), MOST_ATTEMPTS);
  }

  /** The places that a filter leaves out, because no index gives them, or nothing is stored. */
  public static Set<Place> leftOut(LookupFilter filter) {
    return LookupParts.places(filter).leftOut();
  }

  /**
   * One page of messages.
   *
   * @throws IllegalArgumentException if the place to continue is not one of this filter
   */
  public LookupPage<FoundMessage> page(
      Connection connection, LookupFilter filter, String after, int size) throws SQLException {
    boolean any =
        LookupParts.needsConsumers(filter)
            && LookupParts.places(filter).searched().stream()
                .anyMatch(place -> place == Place.HANDLED || place == Place.CAPTURED);
    List<String> names = any ? consumers.read(connection) : List.of();
    LookupPage<FoundMessage> page =
        SlicedSearch.page(connection, parts.of(filter, names), this::found, after, size);
    List<FoundMessage> items = new ArrayList<>();
    for (FoundMessage item : page.items()) {
      items.add(
          item.place() == Place.CAPTURED && item.attempts().orElse(0) > 0
              ? withLastFailure(connection, item)
              : item);
    }
    return new LookupPage<>(items, page.next(), page.note());
  }

  /** A captured message with the error of its last attempt: one statement, by an index. */
  private FoundMessage withLastFailure(Connection connection, FoundMessage item)
      throws SQLException {
    Optional<FailedAttempt> last =
        failures.last(connection, item.consumer(), item.messageId().orElseThrow());
    return new FoundMessage(
        item.place(),
        item.row(),
        item.consumer(),
        item.messageId(),
        item.at(),
        item.outcome(),
        item.status(),
        item.dueAt(),
        item.reason(),
        item.attempts(),
        item.source(),
        item.eventType(),
        item.aggregateType(),
        item.aggregateId(),
        item.aggregateVersion(),
        item.destination(),
        last.map(FailedAttempt::error),
        last.map(FailedAttempt::signature),
        item.headers(),
        item.erasedAt());
  }

  /**
   * One page of recorded failures.
   *
   * @throws IllegalArgumentException if the place to continue is not one of this filter, or it has
   *     a criterion that is not stored of failures
   */
  public LookupPage<FailedAttempt> failures(
      Connection connection, LookupFilter filter, String after, int size) throws SQLException {
    List<String> names =
        LookupParts.needsConsumers(filter) ? consumers.read(connection) : List.of();
    return SlicedSearch.page(
        connection,
        parts.ofFailures(filter, names),
        (part, row) -> failures.attempt(row),
        after,
        size);
  }

  /** An unended attempt. */
  public record Begun(String consumer, String node, Instant at) {}

  /** The unended attempts at a message. */
  public List<Begun> attempts(Connection connection, Optional<String> consumer, String messageId)
      throws SQLException {
    List<String> names =
        consumer.isPresent() ? List.of(consumer.get()) : consumers.read(connection);
    List<Begun> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(attempts)) {
      statement.setArray(1, connection.createArrayOf("VARCHAR", names.toArray()));
      statement.setString(2, messageId);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(new Begun(row.getString(1), row.getString(2), at(row, "begun_at")));
        }
      }
    }
    return found;
  }

  private FoundMessage found(Part part, ResultSet row) throws SQLException {
    return switch (part.name().replaceFirst("-.*", "")) {
      case "parked" -> parked(row);
      case "quarantined" -> quarantined(row);
      case "captured" -> captured(row);
      case "handled" -> handled(row);
      default -> throw new IllegalStateException(part.name());
    };
  }

  private FoundMessage parked(ResultSet row) throws SQLException {
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    long version = row.getLong("aggregate_version");
    OptionalLong aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(version);
    return new FoundMessage(
        ParkReason.EARLY.name().equals(row.getString("reason")) ? Place.BUFFERED : Place.PARKED,
        OptionalLong.of(row.getLong("id")),
        consumer,
        Optional.of(messageId),
        at(row, "parked_at"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        textOf(row, "reason"),
        OptionalInt.of(row.getInt("attempts")),
        textOf(row, "source"),
        textOf(row, "event_type"),
        textOf(row, "aggregate_type"),
        textOf(row, "aggregate_id"),
        aggregateVersion,
        textOf(row, "destination"),
        Optional.of(
            texts.openOrTell(
                io.postbox.inbox.store.Place.kept(
                    Kind.PARKED,
                    consumer,
                    messageId,
                    Fingerprinted.get(row, row.findColumn("fingerprint"))),
                SealedTexts.ERROR,
                row.getString("error"),
                row.getString("sealed_error"))),
        textOf(row, "signature"),
        Optional.empty(),
        Optional.empty());
  }

  private static FoundMessage captured(ResultSet row) throws SQLException {
    long version = row.getLong("aggregate_version");
    OptionalLong aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(version);
    Status status = Status.valueOf(row.getString("status"));
    return new FoundMessage(
        Place.CAPTURED,
        OptionalLong.empty(),
        row.getString("consumer"),
        textOf(row, "message_id"),
        at(row, "captured_at"),
        Optional.empty(),
        Optional.of(status),
        status == Status.DELAYED ? Optional.of(at(row, "due_at")) : Optional.empty(),
        Optional.empty(),
        OptionalInt.of(row.getInt("waited_for")),
        textOf(row, "source"),
        textOf(row, "event_type"),
        textOf(row, "aggregate_type"),
        textOf(row, "aggregate_id"),
        aggregateVersion,
        textOf(row, "destination"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static FoundMessage quarantined(ResultSet row) throws SQLException {
    return new FoundMessage(
        Place.QUARANTINED,
        OptionalLong.of(row.getLong("id")),
        row.getString("consumer"),
        textOf(row, "message_id"),
        at(row, "received_at"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        textOf(row, "reason"),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        textOf(row, "aggregate_type"),
        textOf(row, "aggregate_id"),
        OptionalLong.empty(),
        textOf(row, "destination"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static FoundMessage handled(ResultSet row) throws SQLException {
    Optional<Instant> erasedAt = textOf(row, "headers").flatMap(ErasureParts::erasedAt);
    return new FoundMessage(
        Place.HANDLED,
        OptionalLong.empty(),
        row.getString("consumer"),
        textOf(row, "message_id"),
        at(row, "processed_at"),
        textOf(row, "outcome").map(Outcome::valueOf),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        textOf(row, "source"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        erasedAt.isPresent() ? Optional.empty() : textOf(row, "headers"),
        erasedAt);
  }

  private static Optional<String> textOf(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Instant at(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
