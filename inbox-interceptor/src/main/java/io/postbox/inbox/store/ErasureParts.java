package io.postbox.inbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;

import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Condition;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.inbox.KeptPlan.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Where to look for what is to be erased. Ids and persons are found by indexes; of captured,
 * quarantined and handled messages there is none by aggregate, because it would cost every
 * delivery: these are read through in slices. Thread-safe.
 *
 * @param tables where the tables are
 */
record ErasureParts(TableNames tables) {
  /** Begins the headers of a handled message whose content was erased. */
  static final String ERASED = "{\"erasedAt\":";

  private static final String KEPT =
      "m.id, m.consumer, m.message_id, m.aggregate_type, m.aggregate_id, m.data_subject";

  private static final String STORED = KEPT + ", m.variant, m.status, m.stored_at, m.kept_at";

  private static final String HANDLED =
      "m.consumer, m.message_id, m.data_subject, m.headers, m.processed_at";

  private static final String FAILURE = KEPT + ", m.reason, m.sealed_reason, m.failed_at";

  private static final List<Column> ID = List.of(number("id"));
  private static final List<Column> BY_SUBJECT = List.of(text("data_subject"), number("id"));

  private static final Condition NOT_ERASED =
      Condition.of("m.headers NOT LIKE '%s%%'".formatted(ERASED));

  /** When the content of a handled message was erased; empty if its headers are its own. */
  static Optional<Instant> erasedAt(String headers) {
    return headers.startsWith(ERASED)
        ? Optional.of(Instant.parse(headers.substring(ERASED.length() + 1, headers.length() - 2)))
        : Optional.empty();
  }

  /** Messages that are not kept aside, and those that are handled and kept. */
  List<Part> inWork(ErasureQuery query, List<String> consumers) {
    Condition these = Condition.of(StoredStatus.NOT_KEPT);
    String table = tables.qualified("inbox_stored");
    if (query.target() instanceof Messages messages) {
      return consumers.isEmpty()
          ? List.of()
          : List.of(
              new Part(
                  "captured-ids",
                  STORED,
                  table,
                  List.of(whose(consumers), these(messages), these),
                  "",
                  List.of(text("consumer"), text("message_id"), text("variant")),
                  false,
                  List.of()));
    }
    Condition old = Condition.of("m.stored_at <= ?", query.asOf());
    return List.of(
        aboutSomebody("captured", STORED, table, query, List.of(), List.of(these, old), List.of()));
  }

  /** Messages that are kept aside. */
  List<Part> kept(ErasureQuery query, Kind kind) {
    boolean isParked = kind == Kind.PARKED;
    String name = isParked ? "parked" : "quarantined";
    String table = tables.qualified("inbox_stored");
    List<Condition> these =
        List.of(Condition.of(StoredStatus.KEPT), Condition.of(KeptRows.of(kind)));
    if (query.target() instanceof Messages messages) {
      List<Condition> base = new ArrayList<>(these);
      base.add(these(messages));
      return List.of(
          new Part(
              name + "-ids",
              STORED,
              table,
              base,
              "",
              List.of(text("message_id"), number("id")),
              false,
              List.of()));
    }
    return List.of(
        aboutSomebody(
            name,
            STORED,
            table,
            query,
            these,
            List.of(Condition.of("m.kept_at <= ?", query.asOf())),
            List.of(text("aggregate_id"), text("aggregate_type"), number("id"))));
  }

  /**
   * The rows about an aggregate or a person.
   *
   * @param part the rows of an index on aggregates, if it has not all
   * @param byAggregate the columns of the index on aggregates; by its id, if there is none
   */
  private Part aboutSomebody(
      String name,
      String columns,
      String table,
      ErasureQuery query,
      List<Condition> part,
      List<Condition> filter,
      List<Column> byAggregate) {
    if (query.target() instanceof DataSubject) {
      List<Condition> ofPart = new ArrayList<>(part);
      ofPart.addAll(filter);
      return new Part(
          name + "-subject",
          columns,
          table,
          List.of(subject(query)),
          "",
          BY_SUBJECT,
          false,
          ofPart);
    }
    List<Condition> about = new ArrayList<>(part);
    about.addAll(aggregate(query));
    boolean isIndexed = byAggregate.size() > 1;
    List<Condition> all = new ArrayList<>(isIndexed ? List.of() : about);
    all.addAll(filter);
    return new Part(
        name + "-aggregate",
        columns,
        table,
        isIndexed ? about : List.of(),
        "",
        isIndexed ? byAggregate : ID,
        false,
        all);
  }

  /** Handled messages. */
  List<Part> handled(ErasureQuery query, List<String> consumers) {
    String table = tables.qualified("inbox_message");
    if (query.target() instanceof Messages messages) {
      return consumers.isEmpty()
          ? List.of()
          : List.of(
              new Part(
                  "handled-ids",
                  HANDLED,
                  table,
                  List.of(whose(consumers), these(messages)),
                  "",
                  List.of(text("consumer"), text("message_id")),
                  false,
                  List.of(NOT_ERASED)));
    }
    Condition old = Condition.of("m.processed_at <= ?", query.asOf());
    if (query.target() instanceof DataSubject) {
      return List.of(
          new Part(
              "handled-subject",
              HANDLED,
              table,
              List.of(subject(query)),
              "",
              List.of(text("data_subject"), text("consumer"), text("message_id")),
              false,
              List.of(old)));
    }
    Aggregate aggregate = (Aggregate) query.target();
    List<Condition> about =
        List.of(
            inHeaders("OutboxAggregateId", aggregate.id()),
            inHeaders("OutboxAggregateType", aggregate.type()),
            old);
    return consumers.stream().map(consumer -> through(table, consumer, about)).toList();
  }

  /** All handled messages of a consumer, in the order of the primary key. */
  private static Part through(String table, String consumer, List<Condition> about) {
    return new Part(
        "handled-" + HexFormat.of().formatHex(consumer.getBytes(StandardCharsets.UTF_8)),
        HANDLED,
        table,
        List.of(Condition.of("m.consumer BETWEEN ? AND ?", consumer, consumer)),
        "",
        List.of(text("consumer"), text("message_id")),
        false,
        about);
  }

  /** As the reader of deliveries writes it: in ASCII; no name there has control characters. */
  private static Condition inHeaders(String name, String value) {
    StringBuilder text = new StringBuilder("\"%s\":\"".formatted(name));
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c > '~') {
        text.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        text.append(c);
      }
    }
    return Condition.of(
        "POSITION(CAST(? AS VARCHAR) IN m.headers) > 0", text.append('"').toString());
  }

  /** Recorded failures. */
  List<Part> failures(ErasureQuery query, List<String> consumers) {
    String table = tables.qualified("inbox_failure");
    Condition notErased = Condition.of("(m.reason <> '' OR m.sealed_reason IS NOT NULL)");
    if (query.target() instanceof Messages messages) {
      return consumers.isEmpty()
          ? List.of()
          : List.of(
              new Part(
                  "failure-ids",
                  FAILURE,
                  table,
                  List.of(whose(consumers), these(messages)),
                  "",
                  ID,
                  false,
                  List.of(notErased)));
    }
    return List.of(
        aboutSomebody(
            "failures",
            FAILURE,
            table,
            query,
            List.of(),
            List.of(Condition.of("m.failed_at <= ?", query.asOf())),
            List.of(text("aggregate_id"), text("aggregate_type"), number("id"))));
  }

  /** An aggregate's rows in a table of the order of versions. */
  Part order(String name, Aggregate aggregate, List<String> consumers) {
    return new Part(
        name,
        "m.consumer, m.version",
        tables.qualified(name),
        List.of(
            whose(consumers),
            Condition.of("m.aggregate_type = ?", aggregate.type()),
            Condition.of("m.aggregate_id = ?", aggregate.id())),
        "",
        List.of(text("consumer"), number("version")),
        false,
        List.of());
  }

  private static Condition whose(List<String> consumers) {
    return Condition.of("m.consumer = ANY (?)", consumers);
  }

  private static Condition these(Messages messages) {
    return Condition.of("m.message_id = ANY (?)", List.copyOf(messages.ids()));
  }

  private static Condition subject(ErasureQuery query) {
    return Condition.of("m.data_subject BETWEEN ? AND ?", query.digest(), query.digest());
  }

  private static List<Condition> aggregate(ErasureQuery query) {
    Aggregate aggregate = (Aggregate) query.target();
    return List.of(
        Condition.of("m.aggregate_id BETWEEN ? AND ?", aggregate.id(), aggregate.id()),
        Condition.of("m.aggregate_type BETWEEN ? AND ?", aggregate.type(), aggregate.type()));
  }
}
