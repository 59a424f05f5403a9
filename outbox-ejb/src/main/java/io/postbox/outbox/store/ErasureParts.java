package io.postbox.outbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;
import static io.postbox.common.store.SlicedSearch.Column.uuid;

import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Condition;
import io.postbox.common.store.SlicedSearch.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where to look for what is to be erased, by indexes alone; pending messages about an aggregate
 * have none, and are read through in the relay's order. Thread-safe.
 *
 * @param tables where the tables are
 */
record ErasureParts(TableNames tables) {
  /** Replaces an erased text in a column that takes no NULL. */
  static final String ERASED = "[erased]";

  private static final String MESSAGE =
      """
      m.partition_no, m.destination, m.seq, m.id, m.status, m.aggregate_type, m.aggregate_id,
      m.data_subject, m.created_at, m.erased_at\
      """;

  private static final String ARCHIVED =
      "m.ended_at, m.seq, m.id, m.aggregate_type, m.aggregate_id, m.data_subject, m.created_at";

  private static final String FAILURE =
      """
      m.message_id, m.slot, m.error, m.aggregate_type, m.aggregate_id, m.data_subject,
      m.failed_at\
      """;

  private static final String PENDING = "m.status = 'PENDING'";

  private static final List<Column> SEQ = List.of(number("seq"));
  private static final List<Column> FAILURES = List.of(uuid("message_id"), number("slot"));

  /** As in {@link LookupParts}: so that no statement of the relay can be planned with the index. */
  private static final Condition NOT_PENDING = Condition.of("(m.status <> 'PENDING') IS TRUE");

  /**
   * Messages that wait, are dead, or were sent and kept.
   *
   * @param statuses which of them, as a condition
   * @param withPending whether pending ones are among them
   */
  List<Part> messages(ErasureQuery query, String statuses, boolean withPending) {
    String table = tables.qualified("outbox_message");
    Condition these = Condition.of(statuses);
    if (query.target() instanceof Messages messages) {
      return List.of(
          new Part(
              "ids",
              MESSAGE,
              table,
              List.of(Condition.of("m.id = ANY (?)", ids(messages)), these),
              "",
              SEQ,
              false,
              List.of()));
    }
    Condition old = Condition.of("m.created_at <= ?", query.asOf());
    if (query.target() instanceof DataSubject) {
      return List.of(
          new Part(
              "subject",
              MESSAGE,
              table,
              List.of(subject(query)),
              "",
              List.of(text("data_subject"), number("partition_no"), number("seq")),
              false,
              List.of(these, old)));
    }
    List<Condition> about = aggregate(query);
    List<Part> parts = new ArrayList<>(); // in the direction in which messages move
    List<Condition> base = new ArrayList<>(List.of(NOT_PENDING));
    base.addAll(about);
    parts.add(new Part("aggregate", MESSAGE, table, base, "", SEQ, false, List.of(these, old)));
    if (withPending) {
      List<Condition> filter = new ArrayList<>(about);
      filter.add(old);
      parts.add(
          new Part(
              "pending",
              MESSAGE,
              table,
              List.of(Condition.of(PENDING)),
              "m.status, ",
              List.of(number("partition_no"), text("destination"), number("seq")),
              false,
              filter));
    }
    return parts;
  }

  /** The archive. */
  Part archive(ErasureQuery query) {
    List<Condition> base = new ArrayList<>();
    List<Column> order = SEQ;
    List<Condition> filter = List.of(Condition.of("m.created_at <= ?", query.asOf()));
    if (query.target() instanceof Messages messages) {
      base.add(Condition.of("m.id = ANY (?)", ids(messages)));
      base.add(Condition.of("m.erased_at IS NULL"));
      filter = List.of();
    } else if (query.target() instanceof DataSubject) {
      base.add(subject(query));
      order = List.of(text("data_subject"), number("seq"));
    } else {
      base.addAll(aggregate(query));
    }
    return new Part(
        "archive", ARCHIVED, tables.qualified("outbox_archive"), base, "", order, false, filter);
  }

  /** The histories of failures. */
  Part failures(ErasureQuery query) {
    List<Condition> base = new ArrayList<>();
    List<Condition> filter = new ArrayList<>();
    List<Column> order = FAILURES;
    if (query.target() instanceof Messages messages) {
      base.add(Condition.of("m.message_id = ANY (?)", ids(messages)));
      filter.add(Condition.of("m.error <> '%s'".formatted(ERASED)));
    } else {
      filter.add(Condition.of("m.failed_at <= ?", query.asOf()));
      if (query.target() instanceof DataSubject) {
        base.add(subject(query));
        order = List.of(text("data_subject"), uuid("message_id"), number("slot"));
      } else {
        base.addAll(aggregate(query));
      }
    }
    return new Part(
        "failures", FAILURE, tables.qualified("outbox_failure"), base, "", order, false, filter);
  }

  /** As a range, and with the column in the order, so that PostgreSQL takes no other index. */
  private static Condition subject(ErasureQuery query) {
    return Condition.of("m.data_subject BETWEEN ? AND ?", query.digest(), query.digest());
  }

  private static List<Condition> aggregate(ErasureQuery query) {
    Aggregate aggregate = (Aggregate) query.target();
    return List.of(
        Condition.of("m.aggregate_id = ?", aggregate.id()),
        Condition.of("m.aggregate_type = ?", aggregate.type()));
  }

  private static List<UUID> ids(Messages messages) {
    return messages.ids().stream().map(UUID::fromString).toList();
  }
}
