package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.LookupFilter.Criterion;
import io.postbox.outbox.message.Partitioning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Where to look for what a filter selects. Thread-safe. */
final class LookupParts {
  /** The columns that messages have here and in the archive. */
  static final String SAME =
      """
      m.partition_no, m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
      m.event_type, m.schema_version, m.content_type, m.trace_parent, m.attempts, m.created_at,
      m.last_error, m.signature, m.erased_at\
      """;

  private static final String MESSAGE =
      SAME + ", m.status, m.due_at, m.expires_at, m.sent_at, FALSE AS archived";

  private static final String ARCHIVED =
      SAME
          + """
          , m.outcome, m.outcome AS status, m.ended_at, CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS due_at,
          CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS expires_at, m.ended_at AS sent_at,
          TRUE AS archived\
          """;

  private static final String ENDED =
      "CASE m.status WHEN 'SENT' THEN m.sent_at WHEN 'DEAD' THEN m.due_at END";

  private static final String STATUS = "m.status";

  private final Indexes indexes;
  private final Partitioning partitioning;

  LookupParts(TableNames tables, int partitions) {
    indexes = new Indexes(tables);
    partitioning = new Partitioning(partitions);
  }

  /** Whether a filter leaves pending messages out because no index gives them. */
  static boolean leavesOutPending(LookupFilter filter) {
    return wanted(filter).contains(Status.PENDING)
        && !filter.criteria().containsKey(Criterion.IDS)
        && !filter.criteria().containsKey(Criterion.DESTINATION);
  }

  /** The statuses that can match a filter. */
  private static Set<Status> wanted(LookupFilter filter) {
    Map<Criterion, Object> criteria = filter.criteria();
    Set<Status> statuses = EnumSet.allOf(Status.class);
    if (criteria.get(Criterion.STATUS) instanceof Collection<?> names) {
      statuses.removeIf(status -> !names.contains(status.name()));
    }
    if (criteria.containsKey(Criterion.ENDED_FROM)
        || criteria.containsKey(Criterion.ENDED_BEFORE)) {
      statuses.removeAll(EnumSet.of(Status.PENDING, Status.DELAYED, Status.HELD));
    }
    return statuses;
  }

  /** The parts of the tables in which messages can match a filter. */
  List<Part> of(LookupFilter filter) {
    Map<Criterion, Object> criteria = filter.criteria();
    Set<Status> wanted = wanted(filter);
    List<Part> parts = new ArrayList<>();
    if (criteria.containsKey(Criterion.IDS)
        || criteria.containsKey(Criterion.AGGREGATE_ID)
        || criteria.containsKey(Criterion.ORDERING_KEY)) {
      byNames(filter, wanted, parts);
    } else {
      byStatus(filter, wanted, parts);
    }
    if (wanted.contains(Status.SENT) || wanted.contains(Status.DISCARDED)) {
      Conditions named = ended(filter, "m.ended_at", "m.outcome");
      parts.add(Index.first(indexes.archive, named).part(ARCHIVED, named).reversed());
    }
    return parts;
  }

  private void byNames(LookupFilter filter, Set<Status> wanted, List<Part> parts) {
    boolean isById = filter.criteria().containsKey(Criterion.IDS);
    if (!isById && wanted.contains(Status.PENDING)) {
      lanes(indexes.pending, filter, parts);
    }
    Set<Status> there = EnumSet.copyOf(wanted);
    there.remove(Status.DISCARDED);
    if (!isById) {
      there.remove(Status.PENDING);
    }
    if (!there.isEmpty()) {
      Conditions named = conditions(filter, ENDED, STATUS);
      parts.add(Index.first(indexes.named, named).part(MESSAGE, named));
    }
  }

  private void byStatus(LookupFilter filter, Set<Status> wanted, List<Part> parts) {
    Conditions named = conditions(filter, ENDED, STATUS).without(STATUS);
    if (wanted.contains(Status.DEAD)) {
      parts.add(Index.first(indexes.dead, named).part(MESSAGE, named));
    }
    if (wanted.contains(Status.HELD)) {
      if (filter.criteria().containsKey(Criterion.DESTINATION)) {
        lanes(indexes.held, filter, parts);
      } else {
        parts.add(indexes.held.part(MESSAGE, named));
      }
    }
    if (wanted.contains(Status.DELAYED)) {
      parts.add(Index.first(indexes.delayed, named).part(MESSAGE, named));
    }
    if (wanted.contains(Status.PENDING)) {
      lanes(indexes.pending, filter, parts);
    }
    if (wanted.contains(Status.SENT)) {
      Conditions sent = ended(filter, "m.sent_at", STATUS).without(STATUS);
      parts.add(indexes.sent.part(MESSAGE, sent).reversed());
    }
  }

  /** Messages to a destination in its lanes; none without one. */
  private void lanes(Index index, LookupFilter filter, List<Part> parts) {
    Map<Criterion, Object> criteria = filter.criteria();
    if (criteria.get(Criterion.DESTINATION) instanceof String destination) {
      int[] partitions =
          criteria.get(Criterion.ORDERING_KEY) instanceof String key
              ? new int[] {partitioning.of(destination, key)}
              : IntStream.range(0, partitioning.partitions()).toArray();
      for (int partition : partitions) {
        parts.add(
            index
                .having(Condition.equal("m.partition_no", partition))
                .part(MESSAGE, conditions(filter, ENDED, STATUS).without(STATUS))
                .named(index.name() + "-" + partition));
      }
    }
  }

  /**
   * What a filter selects.
   *
   * @param ended the time at which a message ended
   * @param status the column of its status
   */
  private static Conditions conditions(LookupFilter filter, String ended, String status) {
    return Conditions.of(
        filter,
        Map.of("ids", "m.id", "enqueued", "m.created_at", "ended", ended, "status", status));
  }

  /** The same of messages that have ended, at the time in a column. */
  private static Conditions ended(LookupFilter filter, String ended, String status) {
    Conditions named = conditions(filter, ended, status);
    Object enqueued = filter.criteria().get(Criterion.ENQUEUED_FROM);
    return enqueued == null || filter.criteria().containsKey(Criterion.ENDED_FROM)
        ? named
        : named.and(Condition.from(ended, enqueued)); // it ends after it begins
  }
}
