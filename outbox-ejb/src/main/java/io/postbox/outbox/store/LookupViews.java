package io.postbox.outbox.store;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.Sql;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.LookupFilter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The API's view of messages wherever they are, without their payloads. Reads only. Thread-safe.
 */
public final class LookupViews {
  private final StoredErrors errors;
  private final LookupParts parts;
  private final Index heldKeys;
  private final String keyColumns;
  private final String waiting;

  public LookupViews(TableNames tables, int partitions, StoredErrors errors) {
    this.errors = errors;
    parts = new LookupParts(tables, partitions);
    String message = tables.qualified("outbox_message");
    heldKeys = new Indexes(tables).heldKeys;
    keyColumns =
        """
        m.partition_no, m.destination, m.ordering_key, m.head_id, m.released_to, m.since,
        (SELECT h.status FROM %1$s h WHERE h.id = m.head_id) AS status,
        (SELECT h.signature FROM %1$s h WHERE h.id = m.head_id) AS signature\
        """
            .formatted(message);
    waiting =
        """
        SELECT COUNT(*) FROM (
          SELECT 1 AS one FROM %s m
          WHERE m.status = 'HELD' AND m.partition_no = ? AND m.destination = ?
            AND m.ordering_key = ?
          FETCH FIRST %s ROWS ONLY) w
        """
            .formatted(message, HeldOrderingKey.MOST_COUNTED);
  }

  /** Whether a filter leaves pending messages out because no index gives them. */
  public static boolean leavesOutPending(LookupFilter filter) {
    return LookupParts.leavesOutPending(filter);
  }

  /**
   * A message and its place.
   *
   * @param partition the partition
   * @param message the message
   */
  public record Located(int partition, FoundMessage message) {}

  /**
   * One page of messages.
   *
   * @throws IllegalArgumentException if the place to continue is not one of this filter
   */
  public LookupPage<FoundMessage> page(
      Connection connection, LookupFilter filter, String after, int size) throws SQLException {
    return SlicedSearch.page(
        connection, parts.of(filter), (part, row) -> located(row).message(), after, size);
  }

  /** The message with this id, if a row of it is kept. */
  public Optional<Located> one(Connection connection, UUID id) throws SQLException {
    return SlicedSearch.page(
            connection, parts.of(LookupFilter.all().id(id)), (part, row) -> located(row), "", 1)
        .items()
        .stream()
        .findAny();
  }

  /**
   * One page of held keys, in one statement and one for each of them.
   *
   * @throws IllegalArgumentException if the place to continue is not one of this list
   */
  public LookupPage<HeldOrderingKey> heldKeys(Connection connection, String after, int size)
      throws SQLException {
    return SlicedSearch.page(
        connection,
        List.of(heldKeys.part(keyColumns, Conditions.NONE)),
        (part, row) -> key(connection, row),
        after,
        size);
  }

  /** The key of a message, if it is held; not of one before those that are put back. */
  public Optional<HeldOrderingKey> heldKey(Connection connection, Located of) throws SQLException {
    if (of.message().archived() || of.message().orderingKey().isEmpty()) {
      return Optional.empty();
    }
    Conditions its =
        Conditions.of(
            Condition.equal("m.partition_no", of.partition()),
            Condition.equal("m.destination", of.message().destination()),
            Condition.equal("m.ordering_key", of.message().orderingKey().orElseThrow()));
    return SlicedSearch.page(
            connection,
            List.of(heldKeys.part(keyColumns, its)),
            (part, row) ->
                of.message().seq() < row.getLong("released_to")
                    ? Optional.<HeldOrderingKey>empty()
                    : Optional.of(key(connection, row)),
            "",
            1)
        .items()
        .stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  private HeldOrderingKey key(Connection connection, ResultSet row) throws SQLException {
    String destination = row.getString("destination");
    String key = row.getString("ordering_key");
    return new HeldOrderingKey(
        destination,
        key,
        row.getObject("head_id", UUID.class),
        Sql.text(row, "status").map(Status::valueOf),
        Sql.text(row, "signature"),
        Sql.instant(row, "since"),
        row.getLong("released_to") > 0,
        Sql.one(
            connection,
            waiting,
            count -> count.getLong(1),
            row.getInt("partition_no"),
            destination,
            key));
  }

  private Located located(ResultSet row) throws SQLException {
    int partition = row.getInt("partition_no");
    long seq = row.getLong("seq");
    Status status = Status.valueOf(row.getString("status"));
    Optional<Instant> due = instant(row, "due_at");
    Optional<Instant> over = instant(row, "sent_at");
    String destination = row.getString("destination");
    Optional<String> signature = Sql.text(row, "signature");
    return new Located(
        partition,
        new FoundMessage(
            seq,
            row.getObject("id", UUID.class),
            row.getBoolean("archived"),
            status,
            destination,
            Sql.text(row, "ordering_key"),
            Sql.text(row, "aggregate_type"),
            Sql.text(row, "aggregate_id"),
            Sql.text(row, "event_type"),
            Sql.text(row, "schema_version"),
            row.getString("content_type"),
            Sql.text(row, "trace_parent"),
            row.getInt("attempts"),
            Sql.instant(row, "created_at"),
            switch (status) {
              case PENDING, DELAYED, HELD -> due;
              case DEAD, SENT, DISCARDED -> Optional.empty();
            },
            instant(row, "expires_at"),
            switch (status) {
              case PENDING, DELAYED, HELD -> Optional.empty();
              case DEAD -> due;
              case SENT, DISCARDED -> over;
            },
            Sql.text(row, "last_error")
                .map(error -> errors.openOrTell(destination, signature.orElse(""), error)),
            signature,
            instant(row, "erased_at")));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
