package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import java.util.List;

/** Completes rows: deletes, keeps or archives them. */
final class Archive {
  private static final String SAME =
      """
      seq, partition_no, id, destination, ordering_key, aggregate_type, aggregate_id,
      data_subject, event_type, schema_version, content_type, payload_text, payload_bytes, reference_table, reference_id,
      payload_sha256, payload_key, headers, trace_parent, attempts, created_at, last_error,
      signature""";

  /** The columns that stay of a message that is erased. */
  private static final String LEFT =
      """
      seq, partition_no, id, destination, event_type, schema_version, content_type, attempts,
      created_at""";

  /** Empties the other columns, which both tables have. */
  static final String EMPTIED =
      """
      ordering_key = NULL, aggregate_type = NULL, aggregate_id = NULL, data_subject = NULL,
      payload_text = NULL, payload_bytes = NULL, reference_table = NULL, reference_id = NULL,
      payload_sha256 = NULL, payload_key = NULL, headers = '{}', trace_parent = NULL,
      last_error = NULL, signature = NULL""";

  private Archive() {}

  /**
   * Copies rows to the archive; the condition that selects them follows it.
   *
   * @param outcome {@code SENT} or {@code DISCARDED}
   */
  static String copy(Dialect dialect, TableNames tables, String outcome) {
    return """
        INSERT INTO %s (%s, outcome, ended_at)
        SELECT %s, '%s', %s FROM %s
        """
        .formatted(
            tables.qualified("outbox_archive"),
            SAME,
            SAME,
            outcome,
            dialect.now(),
            tables.qualified("outbox_message"));
  }

  /**
   * Copies the rest of rows that are discarded and erased to the archive; the condition that
   * selects them follows it.
   */
  static String copyErased(Dialect dialect, TableNames tables) {
    return """
        INSERT INTO %s (%s, headers, outcome, ended_at, erased_at)
        SELECT %s, '{}', 'DISCARDED', %s, %s FROM %s
        """
        .formatted(
            tables.qualified("outbox_archive"),
            LEFT,
            LEFT,
            dialect.now(),
            dialect.now(),
            tables.qualified("outbox_message"));
  }

  /**
   * The statements for sent messages; the last statement's count is the number of rows that still
   * existed.
   *
   * @param these the condition that selects them
   */
  static List<String> afterSending(
      Dialect dialect, TableNames tables, AfterSending afterSending, String these) {
    String message = tables.qualified("outbox_message");
    String delete = "DELETE FROM %s %s".formatted(message, these);
    return switch (afterSending) {
      case DELETE -> List.of(delete);
      case KEEP ->
          List.of(
              "UPDATE %s SET status = 'SENT', sent_at = %s %s"
                  .formatted(message, dialect.now(), these));
      case ARCHIVE -> List.of(copy(dialect, tables, "SENT") + these, delete);
    };
  }
}
