package io.postbox.inbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;
import static io.postbox.common.store.SlicedSearch.Column.time;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Condition;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.LookupFilter.Criterion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where to look for what a filter selects: the parts of the tables that an index gives, so that
 * handled messages need none but the inbox's own. Ranges and orders name all columns of an index,
 * so that PostgreSQL reads no other one. Thread-safe.
 */
final class LookupParts {
  private static final Set<Criterion> OF_PARKED_OR_CAPTURED =
      EnumSet.of(
          Criterion.EVENT_TYPE,
          Criterion.AGGREGATE_TYPE,
          Criterion.AGGREGATE_ID,
          Criterion.SIGNATURE);

  private static final Set<Criterion> NOT_OF_CAPTURED =
      EnumSet.of(Criterion.REASON, Criterion.SIGNATURE);

  private static final Set<Criterion> OF_FAILURES =
      EnumSet.of(
          Criterion.CONSUMER,
          Criterion.MESSAGE_ID,
          Criterion.SIGNATURE,
          Criterion.FROM,
          Criterion.BEFORE);

  private static final String STORED =
      """
      m.id, m.consumer, m.message_id, m.variant, m.status, m.captured, m.stored_at, m.kept_at, m.due_at,
      m.waited_for, m.reason, m.attempts, m.source, m.event_type, m.aggregate_type, m.aggregate_id,
      m.aggregate_version, m.destination, m.error, m.sealed_error, m.signature, m.fingerprint,
      m.fingerprint_version\
      """;

  private static final String HANDLED =
      "m.consumer, m.message_id, m.processed_at, m.outcome, m.source, m.headers";

  /** The id of a message that is captured and not handled yet is recorded, too. */
  private static final Condition NOT_CAPTURED = Condition.of("m.outcome <> 'CAPTURED'");

  private static final Set<Place> KEPT =
      EnumSet.of(Place.PARKED, Place.BUFFERED, Place.QUARANTINED);

  private static final Set<Place> IN_WORK = EnumSet.of(Place.CAPTURED, Place.RETRIED);

  private static final List<Column> ID = List.of(number("id"));
  private static final List<Column> BY_MESSAGE = List.of(text("message_id"), number("id"));

  private final TableNames tables;
  private final boolean divided;

  /**
   * @param tables where the tables are
   * @param divided whether handled messages are divided by day, and have no index by time
   */
  LookupParts(TableNames tables, boolean divided) {
    this.tables = tables;
    this.divided = divided;
  }

  /** The places in which a filter can match, and those of them that no index gives. */
  record Places(Set<Place> searched, Set<Place> leftOut) {}

  /** Where a filter is searched. */
  static Places places(LookupFilter filter) {
    Map<Criterion, Object> criteria = filter.criteria();
    Set<Place> wanted = EnumSet.allOf(Place.class);
    if (criteria.get(Criterion.PLACE) instanceof Collection<?> names) {
      wanted.removeIf(place -> !names.contains(place.name()));
    }
    Set<Place> leftOut = EnumSet.noneOf(Place.class);
    if (criteria.keySet().stream().anyMatch(OF_PARKED_OR_CAPTURED::contains)) {
      leftOut.addAll(EnumSet.of(Place.QUARANTINED, Place.HANDLED));
    }
    if (criteria.keySet().stream().anyMatch(NOT_OF_CAPTURED::contains)) {
      leftOut.addAll(IN_WORK);
    }
    if (criteria.containsKey(Criterion.REASON)
        || (!criteria.containsKey(Criterion.MESSAGE_ID)
            && !criteria.containsKey(Criterion.CONSUMER))) {
      leftOut.add(Place.HANDLED);
    }
    leftOut.retainAll(wanted);
    wanted.removeAll(leftOut);
    return new Places(wanted, leftOut);
  }

  /** Whether the parts for a filter need the consumers' names: to look up an id of any of them. */
  static boolean needsConsumers(LookupFilter filter) {
    return filter.criteria().containsKey(Criterion.MESSAGE_ID)
        && !filter.criteria().containsKey(Criterion.CONSUMER);
  }

  /**
   * The parts in which messages can match a filter.
   *
   * @param consumers all consumers' names, if the filter needs them
   */
  List<Part> of(LookupFilter filter, List<String> consumers) {
    Map<Criterion, Object> criteria = filter.criteria();
    Set<Place> searched = places(filter).searched();
    List<Part> parts = new ArrayList<>();
    if (searched.stream().anyMatch(KEPT::contains)) {
      parts.add(kept(criteria, searched));
    }
    if (searched.stream().anyMatch(IN_WORK::contains)
        && (!needsConsumers(filter) || !consumers.isEmpty())) {
      parts.add(inWork(criteria, searched, consumers));
    }
    if (searched.contains(Place.HANDLED)
        && (criteria.containsKey(Criterion.CONSUMER) || !consumers.isEmpty())) {
      parts.add(handled(criteria, consumers));
      if (criteria.containsKey(Criterion.MESSAGE_ID) && !divided) {
        parts.add(requests(criteria, consumers));
      }
    }
    return parts;
  }

  /**
   * The parts in which failures can match a filter.
   *
   * @param consumers all consumers' names, if the filter needs them
   * @throws IllegalArgumentException if it has a criterion that is not stored of failures
   */
  List<Part> ofFailures(LookupFilter filter, List<String> consumers) {
    Map<Criterion, Object> criteria = filter.criteria();
    if (!OF_FAILURES.containsAll(criteria.keySet())) {
      throw new IllegalArgumentException(
          "Failures cannot be found by %s: the inbox stores their consumer, message id, signature and time."
              .formatted(filter));
    }
    if (criteria.containsKey(Criterion.MESSAGE_ID)) {
      if (criteria.containsKey(Criterion.CONSUMER)) {
        return List.of(
            failures(
                "message",
                List.of(range("consumer", criteria), range("message_id", criteria)),
                List.of(text("consumer"), text("message_id"), number("id")),
                false,
                criteria,
                Criterion.CONSUMER,
                Criterion.MESSAGE_ID));
      }
      return consumers.isEmpty()
          ? List.of()
          : List.of(
              failures(
                  "messages",
                  List.of(
                      Condition.of("m.consumer = ANY (?)", consumers),
                      Condition.of("m.message_id = ?", criteria.get(Criterion.MESSAGE_ID))),
                  ID,
                  false,
                  criteria,
                  Criterion.MESSAGE_ID));
    }
    if (criteria.containsKey(Criterion.SIGNATURE)) {
      return List.of(
          failures(
              "signature",
              List.of(range("signature", criteria)),
              List.of(text("signature"), time("failed_at"), number("id")),
              true,
              criteria,
              Criterion.SIGNATURE));
    }
    if (criteria.containsKey(Criterion.CONSUMER)) {
      List<Condition> base = new ArrayList<>(List.of(range("consumer", criteria)));
      base.add(Condition.of("m.failed_at IS NOT NULL"));
      between(base, "m.failed_at", criteria);
      return List.of(
          failures(
              "consumer",
              base,
              List.of(text("consumer"), time("failed_at"), number("id")),
              true,
              criteria,
              Criterion.CONSUMER,
              Criterion.FROM,
              Criterion.BEFORE));
    }
    return List.of(failures("failures", List.of(), ID, true, criteria));
  }

  private Part kept(Map<Criterion, Object> criteria, Set<Place> searched) {
    String table = tables.qualified("inbox_stored");
    List<Condition> these = new ArrayList<>(List.of(Condition.of(StoredStatus.KEPT)));
    if (criteria.containsKey(Criterion.MESSAGE_ID)) {
      these.add(range("message_id", criteria));
      return new Part(
          "kept-message",
          STORED,
          table,
          these,
          "",
          BY_MESSAGE,
          false,
          ofThese(KEPT, searched, criteria, "m.kept_at", Criterion.MESSAGE_ID));
    }
    if (criteria.containsKey(Criterion.AGGREGATE_ID)) {
      these.add(range("aggregate_id", criteria));
      if (criteria.containsKey(Criterion.AGGREGATE_TYPE)) {
        these.add(range("aggregate_type", criteria));
      }
      return new Part(
          "kept-aggregate",
          STORED,
          table,
          these,
          "",
          List.of(text("aggregate_id"), text("aggregate_type"), number("id")),
          false,
          ofThese(
              KEPT,
              searched,
              criteria,
              "m.kept_at",
              Criterion.AGGREGATE_ID,
              Criterion.AGGREGATE_TYPE));
    }
    if (criteria.containsKey(Criterion.SIGNATURE)) {
      return new Part(
          "kept-signature",
          STORED,
          table,
          List.of(Condition.of("m.status = 'PARKED'"), range("signature", criteria)),
          "",
          List.of(text("signature"), number("id")),
          false,
          ofThese(KEPT, searched, criteria, "m.kept_at", Criterion.SIGNATURE));
    }
    return new Part(
        "kept",
        STORED,
        table,
        these,
        "",
        List.of(text("status"), number("id")),
        false,
        ofThese(KEPT, searched, criteria, "m.kept_at"));
  }

  /** What the filter says, without those of the places that are not searched. */
  private static List<Condition> ofThese(
      Set<Place> of,
      Set<Place> searched,
      Map<Criterion, Object> criteria,
      String at,
      Criterion... byBase) {
    List<Condition> filter = new ArrayList<>(filter(criteria, at, byBase));
    Set<Place> left = EnumSet.copyOf(of);
    left.removeAll(searched);
    left.forEach(
        place ->
            filter.add(
                Condition.of(
                    switch (place) {
                      case PARKED -> "m.status <> 'PARKED'";
                      case BUFFERED -> "m.status <> 'EARLY'";
                      case QUARANTINED -> "m.status <> 'QUARANTINED'";
                      case CAPTURED -> "NOT m.captured";
                      case RETRIED -> "m.captured";
                      case HANDLED -> throw new IllegalStateException("another table");
                    })));
    return filter;
  }

  private Part inWork(
      Map<Criterion, Object> criteria, Set<Place> searched, List<String> consumers) {
    String table = tables.qualified("inbox_stored");
    Condition these = Condition.of(StoredStatus.NOT_KEPT);
    if (criteria.containsKey(Criterion.MESSAGE_ID)) {
      return new Part(
          "work-message",
          STORED,
          table,
          List.of(
              whose(criteria, consumers),
              Condition.of("m.message_id = ?", criteria.get(Criterion.MESSAGE_ID)),
              these),
          "",
          List.of(text("consumer"), number("id")),
          false,
          ofThese(
              IN_WORK,
              searched,
              criteria,
              "m.stored_at",
              Criterion.CONSUMER,
              Criterion.MESSAGE_ID));
    }
    if (criteria.containsKey(Criterion.CONSUMER)) {
      return new Part(
          "work-ids",
          STORED,
          table,
          List.of(whose(criteria, consumers), Condition.of("m.message_id IS NOT NULL")),
          "",
          List.of(text("message_id"), text("variant")),
          false,
          and(these, ofThese(IN_WORK, searched, criteria, "m.stored_at", Criterion.CONSUMER)));
    }
    return new Part(
        "work",
        STORED,
        table,
        List.of(),
        "",
        ID,
        false,
        and(these, ofThese(IN_WORK, searched, criteria, "m.stored_at")));
  }

  private static List<Condition> and(Condition first, List<Condition> others) {
    List<Condition> all = new ArrayList<>(others);
    all.add(0, first);
    return all;
  }

  private static Condition whose(Map<Criterion, Object> criteria, List<String> consumers) {
    return criteria.containsKey(Criterion.CONSUMER)
        ? Condition.of("m.consumer = ?", Objects.requireNonNull(criteria.get(Criterion.CONSUMER)))
        : Condition.of("m.consumer = ANY (?)", consumers);
  }

  private Part handled(Map<Criterion, Object> criteria, List<String> consumers) {
    String table = tables.qualified("inbox_message");
    if (criteria.containsKey(Criterion.MESSAGE_ID)) {
      return new Part(
          "handled-message",
          HANDLED,
          table,
          List.of(
              whose(criteria, consumers),
              Condition.of("m.message_id = ?", criteria.get(Criterion.MESSAGE_ID)),
              NOT_CAPTURED),
          "",
          List.of(text("consumer")),
          false,
          filter(criteria, "m.processed_at", Criterion.CONSUMER, Criterion.MESSAGE_ID));
    }
    List<Condition> base =
        new ArrayList<>(
            List.of(
                Condition.of(
                    "m.consumer = ?", Objects.requireNonNull(criteria.get(Criterion.CONSUMER)))));
    if (divided) {
      return new Part(
          "handled-ids",
          HANDLED,
          table,
          base,
          "",
          List.of(text("message_id")),
          true,
          completed(criteria, Criterion.CONSUMER));
    }
    base.add(Condition.of("m.processed_at IS NOT NULL"));
    between(base, "m.processed_at", criteria);
    return new Part(
        "handled",
        HANDLED,
        table,
        base,
        "",
        List.of(time("processed_at"), text("message_id")),
        true,
        completed(criteria, Criterion.CONSUMER, Criterion.FROM, Criterion.BEFORE));
  }

  /** HTTP requests, by their key: their ids are the key, a space, and whose key it is. */
  private Part requests(Map<Criterion, Object> criteria, List<String> consumers) {
    Object key = Objects.requireNonNull(criteria.get(Criterion.MESSAGE_ID));
    return new Part(
        "handled-requests",
        HANDLED,
        tables.qualified("inbox_message"),
        List.of(
            whose(criteria, consumers),
            Condition.of("m.message_id > ?", key + " "),
            Condition.of("m.message_id < ?", key + "!"),
            NOT_CAPTURED),
        "",
        List.of(text("consumer"), text("message_id")),
        false,
        filter(criteria, "m.processed_at", Criterion.CONSUMER, Criterion.MESSAGE_ID));
  }

  private static List<Condition> completed(Map<Criterion, Object> criteria, Criterion... byBase) {
    List<Condition> filter = new ArrayList<>(filter(criteria, "m.processed_at", byBase));
    filter.add(NOT_CAPTURED);
    return filter;
  }

  private Part failures(
      String name,
      List<Condition> base,
      List<Column> order,
      boolean descending,
      Map<Criterion, Object> criteria,
      Criterion... byBase) {
    return new Part(
        name,
        FailureViews.COLUMNS.replace("f.", "m.") + ", m.id",
        tables.qualified("inbox_failure"),
        base,
        "",
        order,
        descending,
        filter(criteria, "m.failed_at", byBase));
  }

  private static void between(
      List<Condition> base, String column, Map<Criterion, Object> criteria) {
    if (criteria.containsKey(Criterion.FROM)) {
      base.add(Condition.of(column + " >= ?", criteria.get(Criterion.FROM)));
    }
    if (criteria.containsKey(Criterion.BEFORE)) {
      base.add(Condition.of(column + " < ?", criteria.get(Criterion.BEFORE)));
    }
  }

  private static Condition range(String column, Map<Criterion, Object> criteria) {
    Criterion criterion = Criterion.valueOf(column.toUpperCase(Locale.ROOT));
    Object value = Objects.requireNonNull(criteria.get(criterion));
    return Condition.of("m.%s BETWEEN ? AND ?".formatted(column), value, value);
  }

  /** The conditions of the filter that the base does not cover. */
  private static List<Condition> filter(
      Map<Criterion, Object> criteria, String at, Criterion... byBase) {
    Map<Criterion, Object> rest = new EnumMap<>(Criterion.class);
    rest.putAll(criteria);
    rest.remove(Criterion.PLACE);
    List.of(byBase).forEach(rest::remove);
    List<Condition> filter = new ArrayList<>();
    rest.forEach((criterion, value) -> filter.add(Condition.of(sql(criterion, at), value)));
    return filter;
  }

  private static String sql(Criterion criterion, String at) {
    return switch (criterion) {
      case PLACE -> throw new IllegalStateException("no column");
      case CONSUMER -> "m.consumer = ?";
      case MESSAGE_ID -> "m.message_id = ?";
      case FROM -> at + " >= ?";
      case BEFORE -> at + " < ?";
      case REASON -> "m.reason = ?";
      case EVENT_TYPE -> "m.event_type = ?";
      case AGGREGATE_TYPE -> "m.aggregate_type = ?";
      case AGGREGATE_ID -> "m.aggregate_id = ?";
      case SIGNATURE -> "m.signature = ?";
    };
  }
}
