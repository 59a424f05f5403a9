package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.common.store.Sql;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.LookupFilter.Criterion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where to look for what a filter selects. Thread-safe. */
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

  private static final String FAILURE = FailureViews.COLUMNS.replace("f.", "m.") + ", m.id";

  private static final String MESSAGE_ID = "m.message_id";

  /** The id of a message that is captured and not handled yet is recorded, too. */
  private static final Condition NOT_CAPTURED = Condition.of("m.outcome <> 'CAPTURED'");

  static final Set<Place> KEPT = EnumSet.of(Place.PARKED, Place.BUFFERED, Place.QUARANTINED);

  private static final Set<Place> IN_WORK = EnumSet.of(Place.CAPTURED, Place.RETRIED);

  private final Indexes indexes;
  private final boolean divided;

  LookupParts(TableNames tables, boolean divided) {
    indexes = new Indexes(tables);
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
    Set<Place> searched = places(filter).searched();
    List<Part> parts = new ArrayList<>();
    if (searched.stream().anyMatch(KEPT::contains)) {
      Conditions these = conditions(filter, "m.kept_at").and(without(KEPT, searched));
      parts.add(Index.first(indexes.kept, these).part(STORED, these));
    }
    if (searched.stream().anyMatch(IN_WORK::contains)) {
      Conditions these =
          conditions(filter, "m.stored_at")
              .and(ofAny(consumers, filter))
              .and(Condition.of(StoredStatus.NOT_KEPT))
              .and(without(IN_WORK, searched));
      parts.add(Index.first(indexes.inWork, these).part(STORED, these));
    }
    if (searched.contains(Place.HANDLED)) {
      Conditions these =
          conditions(filter, "m.processed_at").and(ofAny(consumers, filter)).and(NOT_CAPTURED);
      if (filter.criteria().get(Criterion.MESSAGE_ID) instanceof String id) {
        parts.add(Index.first(indexes.handled, these).part(HANDLED, these));
        if (!divided) {
          parts.add(requests(id, these));
        }
      } else {
        Index index = divided ? indexes.handledByIds : Index.first(indexes.handled, these);
        parts.add(index.part(HANDLED, these).reversed());
      }
    }
    return parts;
  }

  /** HTTP requests, by their key: their ids are the key, a space, and whose key it is. */
  private Part requests(String key, Conditions these) {
    return indexes
        .handledInOrder
        .equal("consumer", "message_id")
        .part(
            HANDLED,
            these
                .without(MESSAGE_ID)
                .and(
                    new Condition(MESSAGE_ID, MESSAGE_ID + " > ?", List.of(key + " ")),
                    new Condition(MESSAGE_ID, MESSAGE_ID + " < ?", List.of(key + "!"))));
  }

  /**
   * The parts in which failures can match a filter.
   *
   * @param consumers all consumers' names, if the filter needs them
   * @throws IllegalArgumentException if it has a criterion that is not stored of failures
   */
  List<Part> ofFailures(LookupFilter filter, List<String> consumers) {
    if (!OF_FAILURES.containsAll(filter.criteria().keySet())) {
      throw new IllegalArgumentException(
          "Failures cannot be found by %s: the inbox stores their consumer, message id, signature and time."
              .formatted(filter));
    }
    Conditions these = conditions(filter, "m.failed_at").and(ofAny(consumers, filter));
    boolean isById = filter.criteria().containsKey(Criterion.MESSAGE_ID);
    Index index =
        isById && !needsConsumers(filter)
            ? indexes.failuresOfMessage
            : Index.first(indexes.failures, these);
    Part part = index.part(FAILURE, these);
    return List.of(isById ? part : part.reversed());
  }

  /** Leaves out the places that are not searched. */
  private static List<Condition> without(Set<Place> places, Set<Place> searched) {
    return places.stream()
        .filter(place -> !searched.contains(place))
        .map(
            place ->
                Condition.of(
                    switch (place) {
                      case PARKED -> "m.status <> 'PARKED'";
                      case BUFFERED -> "m.status <> 'EARLY'";
                      case QUARANTINED -> "m.status <> 'QUARANTINED'";
                      case CAPTURED -> "NOT m.captured";
                      case RETRIED -> "m.captured";
                      case HANDLED -> throw new IllegalStateException("another table");
                    }))
        .toList();
  }

  /** The consumers among which an id is looked up, if none is named. */
  private static List<Condition> ofAny(List<String> consumers, LookupFilter filter) {
    return needsConsumers(filter)
        ? List.of(Condition.equal("m.consumer", Sql.texts(consumers)))
        : List.of();
  }

  /**
   * The criteria that are columns.
   *
   * @param at the column of the criteria on time
   */
  private static Conditions conditions(LookupFilter filter, String at) {
    return Conditions.of(filter, Map.of("", at)).without("m.place");
  }
}
