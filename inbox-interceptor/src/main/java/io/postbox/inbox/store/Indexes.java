package io.postbox.inbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;
import static io.postbox.common.store.SlicedSearch.Column.time;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch.Column;
import java.util.List;

/**
 * The indexes by which searches and erasures read the inbox's tables, so that handled messages need
 * none but the inbox's own: of these, of captured and of quarantined messages there is none by
 * aggregate, because it would cost every delivery. Of a list the first is taken that has what is
 * named. Thread-safe.
 */
final class Indexes {
  private static final Column ID = number("id");
  private static final Column CONSUMER = text("consumer");
  private static final Column MESSAGE = text("message_id");
  private static final Column SUBJECT = text("data_subject");

  /** Messages that are kept aside; those about a person are not only these. */
  final List<Index> kept;

  /** The other stored messages; by anything but their ids, those that are kept aside as well. */
  final List<Index> inWork;

  final List<Index> handled;

  /** A consumer's, if they are divided by day and have no index by time. */
  final Index handledByIds;

  /** Handled messages in the order of the primary key. */
  final Index handledInOrder;

  final List<Index> failures;

  /** The failures of one message of one consumer. */
  final Index failuresOfMessage;

  /** Gaps in the order of versions. */
  final Index gaps;

  /** The orders of versions. */
  final List<Index> versions;

  Indexes(TableNames tables) {
    String stored = tables.qualified("inbox_stored");
    Condition isKept = Condition.of(StoredStatus.KEPT);
    Index storedBySubject = Index.of("subject", stored, SUBJECT, ID).range("data_subject");
    kept =
        List.of(
            Index.of("kept-message", stored, MESSAGE, ID)
                .range("message_id")
                .having(isKept)
                .unsliced(),
            Index.of("kept-aggregate", stored, text("aggregate_id"), text("aggregate_type"), ID)
                .range("aggregate_id")
                .having(isKept),
            Index.of("kept-signature", stored, text("signature"), ID)
                .range("signature")
                .having(Condition.of("m.status = 'PARKED'")),
            storedBySubject,
            Index.of("kept", stored, text("status"), ID).having(isKept));
    inWork =
        List.of(
            Index.of("work-message", stored, CONSUMER, MESSAGE, text("variant"))
                .equal("consumer", "message_id")
                .unsliced(),
            Index.of("work-ids", stored, MESSAGE, text("variant"))
                .equal("consumer")
                .having(Condition.of("m.message_id IS NOT NULL")),
            storedBySubject,
            Index.of("work", stored, ID));

    String message = tables.qualified("inbox_message");
    handledInOrder = Index.of("handled-requests", message, CONSUMER, MESSAGE);
    handled =
        List.of(
            Index.of("handled-message", message, CONSUMER, MESSAGE)
                .equal("consumer", "message_id")
                .unsliced(),
            Index.of("handled-subject", message, SUBJECT, CONSUMER, MESSAGE).range("data_subject"),
            Index.of("handled", message, time("processed_at"), MESSAGE)
                .equal("consumer")
                .having(Condition.of("m.processed_at IS NOT NULL")));
    handledByIds = Index.of("handled-ids", message, MESSAGE).equal("consumer");

    String failure = tables.qualified("inbox_failure");
    failuresOfMessage =
        Index.of("message", failure, CONSUMER, MESSAGE, ID).range("consumer", "message_id");
    failures =
        List.of(
            Index.of("messages", failure, ID).equal("consumer", "message_id").unsliced(),
            Index.of("signature", failure, text("signature"), time("failed_at"), ID)
                .range("signature"),
            Index.of("aggregate", failure, text("aggregate_id"), text("aggregate_type"), ID)
                .range("aggregate_id"),
            Index.of("subject", failure, SUBJECT, ID).range("data_subject"),
            Index.of("consumer", failure, CONSUMER, time("failed_at"), ID)
                .range("consumer")
                .having(Condition.of("m.failed_at IS NOT NULL")),
            Index.of("failures", failure, ID));

    versions =
        List.of(
            ofVersions("inbox_aggregate", tables.qualified("inbox_aggregate")),
            ofVersions("inbox_discarded", tables.qualified("inbox_discarded")));
    gaps =
        Index.of(
                "gaps",
                tables.qualified("inbox_aggregate"),
                CONSUMER,
                time("waiting_since"),
                text("aggregate_type"),
                text("aggregate_id"))
            .having(Condition.of("m.waiting_since IS NOT NULL"))
            .unsliced();
  }

  private static Index ofVersions(String name, String table) {
    return Index.of(name, table, CONSUMER, number("version"))
        .equal("consumer", "aggregate_type", "aggregate_id");
  }
}
