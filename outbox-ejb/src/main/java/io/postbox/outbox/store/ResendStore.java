package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.outbox.encryption.SealedText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Copies archived messages back into the outbox. Thread-safe. */
public final class ResendStore {
  private static final String SAME =
      """
      destination, ordering_key, aggregate_type, aggregate_id, data_subject, event_type,
      schema_version, content_type, payload_text, payload_bytes, reference_table, reference_id, payload_sha256,
      payload_key, headers, trace_parent\
      """;

  private final String find;
  private final String isThere;
  private final String insert;

  /**
   * @param tables where the tables are
   */
  public ResendStore(TableNames tables) {
    String archive = tables.qualified("outbox_archive");
    String message = tables.qualified("outbox_message");
    find =
        """
        SELECT ended_at, seq, destination, ordering_key, payload_key, headers FROM %s
        WHERE id = ? AND erased_at IS NULL ORDER BY ended_at DESC FETCH FIRST 1 ROW ONLY
        """
            .formatted(archive);
    isThere = "SELECT 1 FROM %s WHERE id = ?".formatted(message);
    insert =
        """
        INSERT INTO %1$s (partition_no, id, %3$s)
        SELECT CAST(? AS INTEGER), CAST(? AS UUID), %3$s FROM %2$s
        WHERE ended_at = ? AND seq = ? AND id = ? AND erased_at IS NULL
        """
            .formatted(message, archive, SAME);
  }

  /**
   * An archived message.
   *
   * @param id its id
   * @param endedAt when it was archived
   * @param seq its sequence number then
   * @param destination the logical name
   * @param key its ordering key
   * @param isEncrypted whether its payload or its headers are
   */
  public record Archived(
      UUID id,
      OffsetDateTime endedAt,
      long seq,
      String destination,
      @Nullable String key,
      boolean isEncrypted) {}

  /** The last archived message with an id. */
  public Optional<Archived> find(Connection connection, UUID id) throws SQLException {
    return Sql.first(
        connection,
        find,
        row ->
            new Archived(
                id,
                row.getObject(1, OffsetDateTime.class),
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getString(5) != null || SealedText.HEADERS.isSealed(row.getString(6))),
        id);
  }

  /** Whether a message with an id is in the outbox. */
  public boolean isInOutbox(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, isThere, row -> 1, id).isPresent();
  }

  /**
   * Enqueues an archived message.
   *
   * @param connection of a transaction that has written before: it must have its number before the
   *     row gets its sequence number
   * @param partition that of the message under its new id
   * @return whether it was still there
   */
  public boolean enqueue(Connection connection, Archived message, int partition, UUID newId)
      throws SQLException {
    return Sql.update(
            connection, insert, partition, newId, message.endedAt(), message.seq(), message.id())
        == 1;
  }
}
