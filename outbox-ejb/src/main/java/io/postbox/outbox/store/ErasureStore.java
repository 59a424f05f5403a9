package io.postbox.outbox.store;

import io.postbox.common.ErasureRefusedException;
import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.SlicedSearch;
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
import java.util.stream.IntStream;

/**
 * Finds and erases what the outbox has of a message, an aggregate or a person. Messages that are
 * not sent yet are discarded, under their partition's row lock, and leave a row without content in
 * the archive; sent messages keep their rows without content. Thread-safe.
 */
public final class ErasureStore {
  private static final String WAITING = "m.status IN ('PENDING', 'DELAYED', 'HELD')";
  private static final String DEAD = "m.status = 'DEAD'";
  private static final String SENT = "m.status = 'SENT' AND m.erased_at IS NULL";

  private final ErasureParts parts;
  private final OperatorStore messages;
  private final ErasedRecords records;
  private final String emptySent;
  private final String emptyArchived;
  private final String emptyFailure;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public ErasureStore(Dialect dialect, TableNames tables) {
    parts = new ErasureParts(tables);
    messages = new OperatorStore(dialect, tables);
    records = new ErasedRecords("outbox", tables);
    String message = tables.qualified("outbox_message");
    emptySent =
        "UPDATE %s SET %s, erased_at = %s WHERE status = 'SENT' AND partition_no = ? AND %s"
            .formatted(message, Archive.EMPTIED, dialect.now(), Seqs.CONDITION);
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
            .formatted(tables.qualified("outbox_failure"), ErasureParts.ERASED);
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
                new InPartition(
                    "waiting",
                    parts.messages(query, WAITING, true),
                    (connection, partition, seqs) ->
                        giveUp(connection, Those.WAITING, partition, seqs, lanes)),
                new InPartition(
                    "dead-letters",
                    parts.messages(query, DEAD, false),
                    (connection, partition, seqs) ->
                        giveUp(connection, Those.DEAD, partition, seqs, lanes)),
                new InPartition("sent", parts.messages(query, SENT, false), this::emptySent),
                new InArchive(parts.archive(query)),
                new OfFailures(parts.failures(query))));
    if (query.target() instanceof Aggregate aggregate) {
      places.addAll(records.ofAggregate(aggregate.type(), aggregate.id()));
    } else if (query.target() instanceof DataSubject person) {
      places.addAll(records.ofDataSubject(person.key()));
    }
    return places;
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
    return Sql.update(connection, emptySent, partition, Seqs.of(seqs));
  }

  private interface Change {
    int of(Connection connection, int partition, List<Long> seqs) throws SQLException;
  }

  /** Messages in {@code outbox_message}, changed under the row lock of their partition. */
  private final class InPartition implements ErasurePlace<Place> {
    private final String name;
    private final List<Part> parts;
    private final Change change;

    InPartition(String name, List<Part> parts, Change change) {
      this.name = name;
      this.parts = parts;
      this.change = change;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public LookupPage<Candidate<Place>> page(Connection connection, String after, int size)
        throws SQLException {
      return SlicedSearch.page(
          connection,
          parts,
          (part, row) -> {
            Place place = new Place(row.getInt("partition_no"), row.getLong("seq"));
            return new Candidate<>(place, place.partition(), SlicedSearch.after(part, row));
          },
          after,
          size);
    }

    @Override
    public int erase(Connection connection, List<Place> rows) throws SQLException {
      int partition = rows.get(0).partition();
      messages.lock(connection, partition);
      return change.of(connection, partition, rows.stream().map(Place::seq).toList());
    }
  }

  /**
   * The key of an archived row.
   *
   * @param endedAt when it was archived
   * @param seq its sequence number
   */
  private record Archived(OffsetDateTime endedAt, long seq) {}

  private final class InArchive implements ErasurePlace<Archived> {
    private final Part part;

    InArchive(Part part) {
      this.part = part;
    }

    @Override
    public String name() {
      return "archive";
    }

    @Override
    public LookupPage<Candidate<Archived>> page(Connection connection, String after, int size)
        throws SQLException {
      return SlicedSearch.page(
          connection,
          List.of(part),
          (of, row) ->
              new Candidate<>(
                  new Archived(row.getObject("ended_at", OffsetDateTime.class), row.getLong("seq")),
                  name(),
                  SlicedSearch.after(of, row)),
          after,
          size);
    }

    @Override
    public int erase(Connection connection, List<Archived> rows) throws SQLException {
      return IntStream.of(
              Sql.batch(
                  connection,
                  emptyArchived,
                  rows,
                  each -> new Object[] {each.endedAt(), each.seq()}))
          .sum();
    }
  }

  /**
   * The key of a failure.
   *
   * @param message the message that failed
   * @param slot its slot in that message's history
   */
  private record Failed(UUID message, int slot) {}

  private final class OfFailures implements ErasurePlace<Failed> {
    private final Part part;

    OfFailures(Part part) {
      this.part = part;
    }

    @Override
    public String name() {
      return "failures";
    }

    @Override
    public LookupPage<Candidate<Failed>> page(Connection connection, String after, int size)
        throws SQLException {
      return SlicedSearch.page(
          connection,
          List.of(part),
          (of, row) ->
              new Candidate<>(
                  new Failed(row.getObject("message_id", UUID.class), row.getInt("slot")),
                  name(),
                  SlicedSearch.after(of, row)),
          after,
          size);
    }

    @Override
    public int erase(Connection connection, List<Failed> rows) throws SQLException {
      return IntStream.of(
              Sql.batch(
                  connection,
                  emptyFailure,
                  rows,
                  each -> new Object[] {each.message(), each.slot()}))
          .sum();
    }
  }
}
