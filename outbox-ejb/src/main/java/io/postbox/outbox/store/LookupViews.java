package io.postbox.outbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.SlicedSearch.Part;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The API's view of messages wherever they are, without their payloads. Reads only. Thread-safe.
 */
public final class LookupViews {
  private final StoredErrors errors;
  private final LookupParts parts;
  private final Part heldKeys;
  private final String heldKey;
  private final String waiting;

  /**
   * @param tables where the tables are
   * @param partitions how many partitions they have
   * @param errors decrypts the recorded errors
   */
  public LookupViews(TableNames tables, int partitions, StoredErrors errors) {
    this.errors = errors;
    parts = new LookupParts(tables, partitions);
    String message = tables.qualified("outbox_message");
    String held = tables.qualified("outbox_held_key");
    String columns =
        """
        m.partition_no, m.destination, m.ordering_key, m.head_id, m.released_to, m.since,
        (SELECT h.status FROM %1$s h WHERE h.id = m.head_id) AS status,
        (SELECT h.signature FROM %1$s h WHERE h.id = m.head_id) AS signature\
        """
            .formatted(message);
    heldKeys =
        new Part(
            "keys",
            columns,
            held,
            List.of(),
            "",
            List.of(number("partition_no"), text("destination"), text("ordering_key")),
            false,
            List.of());
    heldKey =
        """
        SELECT %s
        FROM %s m
        WHERE m.partition_no = ? AND m.destination = ? AND m.ordering_key = ?
        """
            .formatted(columns, held);
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
    LookupPage<LocatedKey> page =
        SlicedSearch.page(
            connection, List.of(heldKeys), (part, row) -> LocatedKey.of(row), after, size);
    List<HeldOrderingKey> found = new ArrayList<>();
    for (LocatedKey each : page.items()) {
      found.add(withWaiting(connection, each));
    }
    return new LookupPage<>(found, page.next(), page.note());
  }

  /** The key of a message, if it is held. */
  public Optional<HeldOrderingKey> heldKey(Connection connection, Located of) throws SQLException {
    if (of.message().archived() || of.message().orderingKey().isEmpty()) {
      return Optional.empty();
    }
    Optional<LocatedKey> key =
        Sql.first(
            connection,
            heldKey,
            LocatedKey::of,
            of.partition(),
            of.message().destination(),
            of.message().orderingKey().orElseThrow());
    boolean isInFront =
        key.filter(it -> it.releasedTo() > 0 && of.message().seq() < it.releasedTo()).isPresent();
    return key.isEmpty() || isInFront
        ? Optional.empty()
        : Optional.of(withWaiting(connection, key.get()));
  }

  private HeldOrderingKey withWaiting(Connection connection, LocatedKey key) throws SQLException {
    HeldOrderingKey held = key.key();
    return Sql.one(
        connection,
        waiting,
        row ->
            new HeldOrderingKey(
                held.destination(),
                held.orderingKey(),
                held.head(),
                held.headStatus(),
                held.signature(),
                held.since(),
                held.draining(),
                row.getLong(1)),
        key.partition(),
        held.destination(),
        held.orderingKey());
  }

  private record LocatedKey(int partition, long releasedTo, HeldOrderingKey key) {
    static LocatedKey of(ResultSet row) throws SQLException {
      long releasedTo = row.getLong("released_to");
      return new LocatedKey(
          row.getInt("partition_no"),
          releasedTo,
          new HeldOrderingKey(
              row.getString("destination"),
              row.getString("ordering_key"),
              row.getObject("head_id", UUID.class),
              textOf(row, "status").map(Status::valueOf),
              textOf(row, "signature"),
              row.getObject("since", OffsetDateTime.class).toInstant(),
              releasedTo > 0,
              0));
    }
  }

  private Located located(ResultSet row) throws SQLException {
    int partition = row.getInt("partition_no");
    long seq = row.getLong("seq");
    Status status = Status.valueOf(row.getString("status"));
    Optional<Instant> due = instant(row, "due_at");
    Optional<Instant> over = instant(row, "sent_at");
    String destination = row.getString("destination");
    Optional<String> signature = textOf(row, "signature");
    return new Located(
        partition,
        new FoundMessage(
            seq,
            row.getObject("id", UUID.class),
            row.getBoolean("archived"),
            status,
            destination,
            textOf(row, "ordering_key"),
            textOf(row, "aggregate_type"),
            textOf(row, "aggregate_id"),
            textOf(row, "event_type"),
            textOf(row, "schema_version"),
            row.getString("content_type"),
            textOf(row, "trace_parent"),
            row.getInt("attempts"),
            row.getObject("created_at", OffsetDateTime.class).toInstant(),
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
            textOf(row, "last_error")
                .map(error -> errors.openOrTell(destination, signature.orElse(""), error)),
            signature,
            instant(row, "erased_at")));
  }

  private static Optional<String> textOf(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
