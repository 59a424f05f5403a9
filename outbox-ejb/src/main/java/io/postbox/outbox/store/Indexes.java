package io.postbox.outbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;
import static io.postbox.common.store.SlicedSearch.Column.time;
import static io.postbox.common.store.SlicedSearch.Column.uuid;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.outbox.FoundMessage.Status;
import java.util.List;

/**
 * The indexes by which searches and erasures read the outbox's tables, so that pending messages
 * need none but the relay's own. Of a list the first is taken that has what is named. Thread-safe.
 */
final class Indexes {
  /**
   * The condition of the indexes on aggregates and keys. As a truth value, so that no statement of
   * the relay can be planned with them.
   */
  private static final Condition NOT_PENDING = Condition.of("(m.status <> 'PENDING') IS TRUE");

  private static final Column SEQ = number("seq");

  /** Messages by what names them; by aggregate or key those that are not pending. */
  final List<Index> named;

  final List<Index> dead;
  final List<Index> delayed;
  final Index held;

  /** In the order in which the relay reads them. */
  final Index pending;

  final Index sent;

  /** Held keys by their primary key. */
  final Index heldKeys;

  final List<Index> archive;
  final List<Index> failures;

  Indexes(TableNames tables) {
    String message = tables.qualified("outbox_message");
    named =
        List.of(
            Index.of("ids", message, SEQ).equal("id").unsliced(),
            ofAggregate("aggregate", message).having(NOT_PENDING),
            ofAggregateId("aggregate", message).having(NOT_PENDING),
            Index.of("key", message, SEQ).equal("ordering_key").having(NOT_PENDING),
            Index.of("subject", message, text("data_subject"), number("partition_no"), SEQ)
                .range("data_subject"));
    dead =
        List.of(
            ofStatus("dead-signature", message, Status.DEAD, text("signature"), SEQ)
                .range("signature"),
            ofStatus("dead-destination", message, Status.DEAD, text("destination"), SEQ)
                .range("destination"),
            ofStatus("dead", message, Status.DEAD, SEQ));
    delayed =
        List.of(
            ofStatus("delayed-signature", message, Status.DELAYED, text("signature"), SEQ)
                .range("signature"),
            ofStatus("delayed", message, Status.DELAYED, time("due_at"), SEQ));
    Column partition = number("partition_no");
    Column destination = text("destination");
    held =
        ofStatus("held", message, Status.HELD, partition, destination, text("ordering_key"), SEQ);
    pending = ofStatus("pending", message, Status.PENDING, partition, destination, SEQ);
    sent = ofStatus("sent", message, Status.SENT, time("sent_at"), SEQ);
    heldKeys =
        Index.of(
            "keys",
            tables.qualified("outbox_held_key"),
            partition,
            destination,
            text("ordering_key"));

    String archived = tables.qualified("outbox_archive");
    archive =
        List.of(
            Index.of("archive-ids", archived, SEQ).equal("id").unsliced(),
            ofAggregate("archive-aggregate", archived),
            ofAggregateId("archive-aggregate", archived),
            Index.of("archive-key", archived, SEQ).equal("ordering_key"),
            Index.of("archive-signature", archived, SEQ).equal("signature"),
            Index.of("archive-subject", archived, text("data_subject"), SEQ).range("data_subject"),
            Index.of("archive", archived, time("ended_at"), SEQ));

    String failure = tables.qualified("outbox_failure");
    Index ofFailures = Index.of("failures", failure, uuid("message_id"), number("slot"));
    failures =
        List.of(
            ofFailures.equal("message_id").unsliced(),
            ofFailures.equal("aggregate_id", "aggregate_type"),
            Index.of("failures", failure, text("data_subject"), uuid("message_id"), number("slot"))
                .range("data_subject"));
  }

  private static Index ofAggregate(String name, String table) {
    return Index.of(name, table, SEQ).equal("aggregate_id", "aggregate_type");
  }

  private static Index ofAggregateId(String name, String table) {
    return Index.of(name, table, text("aggregate_type"), SEQ).equal("aggregate_id");
  }

  /** An index that begins with the status, or has it as its condition. */
  private static Index ofStatus(String name, String table, Status status, Column... order) {
    return Index.of(name, table, order)
        .having(Condition.of("m.status = '%s'".formatted(status.name())))
        .leading("m.status, ");
  }
}
