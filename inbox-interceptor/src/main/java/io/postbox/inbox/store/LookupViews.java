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
import io.postbox.inbox.LookupFilter;
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
                .anyMatch(
                    place ->
                        place == Place.HANDLED
                            || place == Place.CAPTURED
                            || place == Place.RETRIED);
    List<String> names = any ? consumers.read(connection) : List.of();
    LookupPage<FoundMessage> page =
        SlicedSearch.page(connection, parts.of(filter, names), this::found, after, size);
    List<FoundMessage> items = new ArrayList<>();
    for (FoundMessage item : page.items()) {
      items.add(
          item.status().isPresent() && item.attempts().orElse(0) > 0
              ? withLastFailure(connection, item)
              : item);
    }
    return new LookupPage<>(items, page.next(), page.note());
  }

  /** A message with the error of its last attempt: one statement, by an index. */
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
    return part.name().startsWith("handled") ? handled(row) : stored(row);
  }

  private FoundMessage stored(ResultSet row) throws SQLException {
    StoredStatus status = StoredStatus.valueOf(row.getString("status"));
    Place place =
        switch (status) {
          case PARKED -> Place.PARKED;
          case EARLY -> Place.BUFFERED;
          case QUARANTINED -> Place.QUARANTINED;
          case PENDING, DELAYED, HELD, HANDED_BACK, PROCESSED ->
              row.getBoolean("captured") ? Place.CAPTURED : Place.RETRIED;
        };
    boolean isQuarantined = place == Place.QUARANTINED;
    boolean isKept = isQuarantined || place == Place.PARKED || place == Place.BUFFERED;
    boolean hasError = isKept && !isQuarantined;
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    long version = row.getLong("aggregate_version");
    boolean hasVersion = !row.wasNull() && !isQuarantined;
    return new FoundMessage(
        place,
        isKept ? OptionalLong.of(row.getLong("id")) : OptionalLong.empty(),
        consumer,
        Optional.ofNullable(messageId),
        at(row, isKept ? "kept_at" : "stored_at"),
        Optional.empty(),
        isKept ? Optional.empty() : Optional.of(Status.valueOf(status.name())),
        status == StoredStatus.DELAYED ? Optional.of(at(row, "due_at")) : Optional.empty(),
        isKept ? textOf(row, "reason") : Optional.empty(),
        isQuarantined
            ? OptionalInt.empty()
            : OptionalInt.of(row.getInt(isKept ? "attempts" : "waited_for")),
        isQuarantined ? Optional.empty() : textOf(row, "source"),
        isQuarantined ? Optional.empty() : textOf(row, "event_type"),
        textOf(row, "aggregate_type"),
        textOf(row, "aggregate_id"),
        hasVersion ? OptionalLong.of(version) : OptionalLong.empty(),
        textOf(row, "destination"),
        hasError
            ? Optional.of(
                texts.openOrTell(
                    io.postbox.inbox.store.Place.stored(
                        consumer, messageId, Fingerprinted.get(row, row.findColumn("fingerprint"))),
                    SealedTexts.ERROR,
                    row.getString("error"),
                    row.getString("sealed_error")))
            : Optional.empty(),
        hasError ? textOf(row, "signature") : Optional.empty(),
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
