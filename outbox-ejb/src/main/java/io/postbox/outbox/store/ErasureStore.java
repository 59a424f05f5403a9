package io.postbox.outbox.store;

import io.postbox.common.ErasureRefusedException;
import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.Index;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.OperatorStore.Place;
import io.postbox.outbox.store.OperatorStore.Row;
import io.postbox.outbox.store.OperatorStore.Those;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Finds and erases what the outbox has of a message, an aggregate or a person. Messages that are
 * not sent yet are discarded, under their partition's row lock, and leave a row without content in
 * the archive; sent messages keep their rows without content. Thread-safe.
 */
public final class ErasureStore {
  /** Replaces an erased text in a column that takes no NULL. */
  private static final String ERASED = "[erased]";

  private static final String MESSAGE =
      """
      m.partition_no, m.destination, m.seq, m.id, m.status, m.aggregate_type, m.aggregate_id,
      m.data_subject, m.created_at, m.erased_at\
      """;

  private static final String ARCHIVED =
      """
      m.ended_at, m.seq, m.id, m.aggregate_type, m.aggregate_id, m.data_subject, m.created_at,
      m.erased_at\
      """;

  private static final String FAILURE =
      """
      m.message_id, m.slot, m.error, m.aggregate_type, m.aggregate_id, m.data_subject,
      m.failed_at\
      """;

  private static final String WAITING = "m.status IN ('PENDING', 'DELAYED', 'HELD')";
  private static final String DEAD = "m.status = 'DEAD'";
  private static final String SENT = "m.status = 'SENT' AND m.erased_at IS NULL";

  private final Indexes indexes;
  private final OperatorStore messages;
  private final ErasedRecords records;
  private final String emptySent;
  private final String emptyArchived;
  private final String emptyFailure;

  public ErasureStore(Dialect dialect, TableNames tables) {
    indexes = new Indexes(tables);
    messages = new OperatorStore(dialect, tables);
    records = new ErasedRecords("outbox", tables);
    String message = tables.qualified("outbox_message");
    emptySent =
        "UPDATE %s SET %s, erased_at = %s WHERE status = 'SENT' AND partition_no = ? AND %s"
            .formatted(message, Archive.EMPTIED, dialect.now(), Numbers.in("seq"));
    emptyArchived =
        """
        UPDATE %s SET %s, erased_at = %s
        WHERE ended_at = ? AND seq = ? AND erased_at IS NULL
        """
            .formatted(tables.qualified("outbox_archive"), Archive.EMPTIED, dialect.now());
    emptyFailure =
        """
        UPDATE %s SET error = '%s', signature = '', aggregate_type = NULL, aggregate_id = NULL, data_subject = NULL
        WHERE message_id = ? AND slot = ?
        """
            .formatted(tables.qualified("outbox_failure"), ERASED);
  }

  /** The mentions of a target in operators' records. */
  public ErasedRecords records() {
    return records;
  }

  /**
   * Where to look for a target, in the order in which it is erased.
   *
   * @param lanes is given the lanes that may have work then
   * @throws ErasureRefusedException if it has an id that no message of an outbox has
   */
  public List<ErasurePlace<?>> places(ErasureQuery query, Consumer<Lane> lanes) {
    if (query.target() instanceof Messages messages) {
      messages.ids().forEach(ErasureStore::checkId);
    }
    List<ErasurePlace<?>> places =
        new ArrayList<>(
            List.of(
                inPartition(
                    "waiting",
                    messages(query, WAITING),
                    (connection, partition, seqs) ->
                        giveUp(connection, Those.WAITING, partition, seqs, lanes)),
                inPartition(
                    "dead-letters",
                    messages(query, DEAD),
                    (connection, partition, seqs) ->
                        giveUp(connection, Those.DEAD, partition, seqs, lanes)),
                inPartition("sent", messages(query, SENT), this::emptySent),
                ErasurePlace.of(
                    "archive",
                    connection -> List.of(archive(query)),
                    row ->
                        new Archived(
                            row.getObject("ended_at", OffsetDateTime.class), row.getLong("seq")),
                    this::emptyArchived),
                ErasurePlace.of(
                    "failures",
                    connection -> List.of(failures(query)),
                    row -> new Failed(row.getObject("message_id", UUID.class), row.getInt("slot")),
                    this::emptyFailures)));
    places.addAll(records.of(query.target()));
    return places;
  }

  /** By indexes alone, but pending ones about an aggregate: the relay's order is read through. */
  private List<Part> messages(ErasureQuery query, String statuses) {
    Conditions these =
        about("m.id", query).and(Condition.of(statuses)).and(query.until("m.created_at").all());
    Part named = Index.first(indexes.named, these).part(MESSAGE, these);
    return statuses.equals(WAITING) && query.target() instanceof Aggregate
        ? List.of(named, indexes.pending.part(MESSAGE, these)) // as messages move
        : List.of(named);
  }

  private Part archive(ErasureQuery query) {
    Conditions these =
        about("m.id", query)
            .and(Condition.of("m.erased_at IS NULL"))
            .and(query.until("m.created_at").all());
    return Index.first(indexes.archive, these).part(ARCHIVED, these).named("archive");
  }

  private Part failures(ErasureQuery query) {
    Conditions these =
        about("m.message_id", query)
            .and(Condition.of("m.error <> '%s'".formatted(ERASED)))
            .and(query.until("m.failed_at").all());
    return Index.first(indexes.failures, these).part(FAILURE, these);
  }

  private static Conditions about(String idColumn, ErasureQuery query) {
    return query.about(idColumn, ids -> Sql.ids(ids.stream().map(UUID::fromString).toList()));
  }

  private static void checkId(String id) {
    try {
      if (UUID.fromString(id).toString().equals(id)) {
        return;
      }
    } catch (IllegalArgumentException isNone) {
      // said below
    }
    throw new ErasureRefusedException(
        "'%s' is no id of the outbox's messages, which are UUIDs in canonical form; nothing was changed."
            .formatted(id));
  }

  private int giveUp(
      Connection connection, Those those, int partition, List<Long> seqs, Consumer<Lane> lanes)
      throws SQLException {
    List<Row> found = messages.rows(connection, those, partition, seqs);
    found.forEach(each -> lanes.accept(new Lane(partition, each.destination())));
    return found.isEmpty() ? 0 : messages.erase(connection, those, partition, found);
  }

  private int emptySent(Connection connection, int partition, List<Long> seqs) throws SQLException {
    return Sql.update(connection, emptySent, partition, Numbers.of(seqs));
  }

  private interface Change {
    int of(Connection connection, int partition, List<Long> seqs) throws SQLException;
  }

  /** Messages in {@code outbox_message}, changed under the row lock of their partition. */
  private ErasurePlace<Place> inPartition(String name, List<Part> parts, Change change) {
    return ErasurePlace.of(
        name,
        connection -> parts,
        row -> new Place(row.getInt("partition_no"), row.getLong("seq")),
        Place::partition,
        (connection, rows) -> {
          int partition = rows.get(0).partition();
          messages.lock(connection, partition);
          return change.of(connection, partition, rows.stream().map(Place::seq).toList());
        });
  }

  /**
   * The key of an archived row.
   *
   * @param endedAt when it was archived
   * @param seq its sequence number
   */
  private record Archived(OffsetDateTime endedAt, long seq) {}

  private int emptyArchived(Connection connection, List<Archived> rows) throws SQLException {
    return Sql.batch(
        connection, emptyArchived, rows, each -> new Object[] {each.endedAt(), each.seq()});
  }

  /**
   * The key of a failure.
   *
   * @param message the message that failed
   * @param slot its slot in that message's history
   */
  private record Failed(UUID message, int slot) {}

  private int emptyFailures(Connection connection, List<Failed> rows) throws SQLException {
    return Sql.batch(
        connection, emptyFailure, rows, each -> new Object[] {each.message(), each.slot()});
  }
}
