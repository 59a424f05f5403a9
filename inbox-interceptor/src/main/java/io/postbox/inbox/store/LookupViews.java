package io.postbox.inbox.store;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.Sql;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.FoundMessage.Status;
import io.postbox.inbox.LookupFilter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    List<String> names =
        LookupParts.needsConsumers(filter)
                && !LookupParts.KEPT.containsAll(LookupParts.places(filter).searched())
            ? consumers.read(connection)
            : List.of();
    return SlicedSearch.page(
        connection,
        parts.of(filter, names),
        (part, row) -> part.name().startsWith("handled") ? handled(row) : stored(connection, row),
        after,
        size);
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
    return Sql.list(
        connection,
        attempts,
        row -> new Begun(row.getString(1), row.getString(2), Sql.instant(row, 3)),
        Sql.texts(names),
        messageId);
  }

  /** One that was tried and waits gets its last failure by an index, in a statement. */
  private FoundMessage stored(Connection connection, ResultSet row) throws SQLException {
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
    boolean isKept = status.isKept();
    int attempts = row.getInt(isKept ? "attempts" : "waited_for");
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    Optional<String> error = Optional.empty();
    Optional<String> signature = Optional.empty();
    if (isKept && !isQuarantined) {
      error = Optional.of(error(row, consumer, messageId));
      signature = Sql.text(row, "signature");
    } else if (!isKept && attempts > 0) {
      Optional<FailedAttempt> last = failures.last(connection, consumer, messageId);
      error = last.map(FailedAttempt::error);
      signature = last.map(FailedAttempt::signature);
    }
    return new FoundMessage(
        place,
        isKept ? OptionalLong.of(row.getLong("id")) : OptionalLong.empty(),
        consumer,
        Optional.ofNullable(messageId),
        Sql.instant(row, isKept ? "kept_at" : "stored_at"),
        Optional.empty(),
        isKept ? Optional.empty() : Optional.of(Status.valueOf(status.name())),
        status == StoredStatus.DELAYED ? Optional.of(Sql.instant(row, "due_at")) : Optional.empty(),
        isKept ? Sql.text(row, "reason") : Optional.empty(),
        isQuarantined ? OptionalInt.empty() : OptionalInt.of(attempts),
        isQuarantined ? Optional.empty() : Sql.text(row, "source"),
        isQuarantined ? Optional.empty() : Sql.text(row, "event_type"),
        Sql.text(row, "aggregate_type"),
        Sql.text(row, "aggregate_id"),
        isQuarantined ? OptionalLong.empty() : KeptViews.version(row),
        Sql.text(row, "destination"),
        error,
        signature,
        Optional.empty(),
        Optional.empty());
  }

  private String error(ResultSet row, String consumer, @Nullable String messageId)
      throws SQLException {
    return texts.openOrTell(
        io.postbox.inbox.store.Place.stored(
            consumer, messageId, Fingerprinted.get(row, row.findColumn("fingerprint"))),
        SealedTexts.ERROR,
        row.getString("error"),
        row.getString("sealed_error"));
  }

  private static FoundMessage handled(ResultSet row) throws SQLException {
    Optional<Instant> erasedAt = Sql.text(row, "headers").flatMap(ErasureStore::erasedAt);
    return new FoundMessage(
        Place.HANDLED,
        OptionalLong.empty(),
        row.getString("consumer"),
        Sql.text(row, "message_id"),
        Sql.instant(row, "processed_at"),
        Sql.text(row, "outcome").map(Outcome::valueOf),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Sql.text(row, "source"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        erasedAt.isPresent() ? Optional.empty() : Sql.text(row, "headers"),
        erasedAt);
  }
}
