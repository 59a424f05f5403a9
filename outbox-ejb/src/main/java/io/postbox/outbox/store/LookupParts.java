package io.postbox.outbox.store;

import static io.postbox.common.store.SlicedSearch.Column.number;
import static io.postbox.common.store.SlicedSearch.Column.text;
import static io.postbox.common.store.SlicedSearch.Column.time;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Condition;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.LookupFilter.Criterion;
import io.postbox.outbox.message.Partitioning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Where to look for what a filter selects: the parts of the tables that an index gives, so that
 * pending messages need none but the relay's own. Thread-safe.
 */
final class LookupParts {
  /**
   * The condition of the indexes on aggregates and keys. As a truth value, so that no statement of
   * the relay can be planned with them.
   */
  private static final Condition NOT_PENDING = Condition.of("(m.status <> 'PENDING') IS TRUE");

  private static final String SAME =
      """
      m.partition_no, m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
      m.event_type, m.schema_version, m.content_type, m.trace_parent, m.attempts, m.created_at,
      m.last_error, m.signature, m.erased_at""";

  private static final String MESSAGE =
      SAME + ", m.status, m.due_at, m.expires_at, m.sent_at, FALSE AS archived";

  private static final String ARCHIVED =
      SAME
          + """
            , m.outcome, m.outcome AS status, m.ended_at, CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS due_at,
            CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS expires_at, m.ended_at AS sent_at,
            TRUE AS archived""";

  // Ranges, and an order by all columns of the index, so that PostgreSQL reads no other one.
  private static final String BY_STATUS = "m.status, ";

  private static final List<Column> SEQ = List.of(number("seq"));

  private final String message;
  private final String archive;
  private final Partitioning partitioning;

  /**
   * @param tables where the tables are
   * @param partitions how many partitions they have
   */
  LookupParts(TableNames tables, int partitions) {
    message = tables.qualified("outbox_message");
    archive = tables.qualified("outbox_archive");
    partitioning = new Partitioning(partitions);
  }

  /** Whether a filter leaves pending messages out because no index gives them. */
  static boolean leavesOutPending(LookupFilter filter) {
    return wanted(filter).contains(Status.PENDING)
        && !filter.criteria().containsKey(Criterion.IDS)
        && !filter.criteria().containsKey(Criterion.DESTINATION);
  }

  /** The parts of the tables in which messages can match a filter. */
  List<Part> of(LookupFilter filter) {
    return new Search(filter).parts();
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

  private final class Search {
    private final Map<Criterion, Object> criteria;
    private final Set<Status> wanted;
    private final List<Part> parts = new ArrayList<>();

    Search(LookupFilter filter) {
      criteria = filter.criteria();
      wanted = wanted(filter);
    }

    List<Part> parts() {
      boolean ended = wanted.contains(Status.SENT) || wanted.contains(Status.DISCARDED);
      boolean kept = wanted.stream().anyMatch(status -> status != Status.DISCARDED);
      if (criteria.containsKey(Criterion.IDS)) {
        Condition these = one("m.id = ANY (?)", Criterion.IDS);
        if (kept) {
          parts.add(ofMessages("ids", List.of(these), "", SEQ, false, Criterion.IDS));
        }
        if (ended) {
          parts.add(ofArchive("archive-ids", List.of(these), SEQ, Criterion.IDS));
        }
        return parts;
      }
      if (criteria.containsKey(Criterion.AGGREGATE_ID)) {
        byNames("aggregate", aggregate(), aggregateOrder(), kept);
      } else if (criteria.containsKey(Criterion.ORDERING_KEY)) {
        byNames("key", List.of(one("m.ordering_key = ?", Criterion.ORDERING_KEY)), SEQ, kept);
      } else {
        byStatus();
      }
      if (ended) {
        parts.add(archived());
      }
      return parts;
    }

    /** By an index on all messages that are not pending, and by lanes. */
    private void byNames(String name, List<Condition> these, List<Column> order, boolean kept) {
      if (wanted.contains(Status.PENDING)) {
        lanes();
      }
      if (kept && !wanted.equals(EnumSet.of(Status.PENDING))) {
        List<Condition> base = new ArrayList<>(List.of(NOT_PENDING));
        base.addAll(these);
        parts.add(
            ofMessages(
                name,
                base,
                "",
                order,
                false,
                name.equals("key") ? Criterion.ORDERING_KEY : Criterion.AGGREGATE_ID,
                Criterion.AGGREGATE_TYPE));
      }
    }

    private void byStatus() {
      if (wanted.contains(Status.DEAD)) {
        parts.add(dead());
      }
      if (wanted.contains(Status.HELD)) {
        held();
      }
      if (wanted.contains(Status.DELAYED)) {
        parts.add(delayed());
      }
      if (wanted.contains(Status.PENDING)) {
        lanes();
      }
      if (wanted.contains(Status.SENT)) {
        parts.add(sent());
      }
    }

    private Part dead() {
      if (criteria.containsKey(Criterion.SIGNATURE)) {
        return bySignature("dead-signature", Status.DEAD);
      }
      if (criteria.containsKey(Criterion.DESTINATION)) {
        return ofStatus(
            "dead-destination",
            Status.DEAD,
            List.of(inDestination()),
            List.of(text("destination"), number("seq")),
            Criterion.DESTINATION);
      }
      return ofStatus("dead", Status.DEAD, List.of(), SEQ);
    }

    private void held() {
      List<Column> inLane =
          List.of(number("partition_no"), text("destination"), text("ordering_key"), number("seq"));
      if (criteria.containsKey(Criterion.DESTINATION)) {
        for (int partition : partitions()) {
          parts.add(inLane("held-" + partition, Status.HELD, partition, inLane));
        }
      } else {
        parts.add(ofStatus("held", Status.HELD, List.of(), inLane));
      }
    }

    private Part delayed() {
      return criteria.containsKey(Criterion.SIGNATURE)
          ? bySignature("delayed-signature", Status.DELAYED)
          : ofStatus("delayed", Status.DELAYED, List.of(), List.of(time("due_at"), number("seq")));
    }

    /** Pending messages in the order in which the relay reads them. */
    private void lanes() {
      if (!criteria.containsKey(Criterion.DESTINATION)) {
        return;
      }
      List<Column> order = List.of(number("partition_no"), text("destination"), number("seq"));
      for (int partition : partitions()) {
        parts.add(inLane("pending-" + partition, Status.PENDING, partition, order));
      }
    }

    private Part bySignature(String name, Status status) {
      return ofStatus(
          name,
          status,
          List.of(range("m.signature BETWEEN ? AND ?", Criterion.SIGNATURE)),
          List.of(text("signature"), number("seq")),
          Criterion.SIGNATURE);
    }

    private Part inLane(String name, Status status, int partition, List<Column> order) {
      return ofStatus(
          name,
          status,
          List.of(Condition.of("m.partition_no = ?", partition), inDestination()),
          order,
          Criterion.DESTINATION);
    }

    private Condition inDestination() {
      return range("m.destination BETWEEN ? AND ?", Criterion.DESTINATION);
    }

    /** By an index that begins with the status, or has it as its condition. */
    private Part ofStatus(
        String name,
        Status status,
        List<Condition> these,
        List<Column> order,
        Criterion... byThese) {
      List<Condition> base = new ArrayList<>(List.of(isOf(status)));
      base.addAll(these);
      List<Criterion> byBase = new ArrayList<>(List.of(byThese));
      byBase.add(Criterion.STATUS);
      return ofMessages(name, base, BY_STATUS, order, false, byBase.toArray(Criterion[]::new));
    }

    private static Condition isOf(Status status) {
      return Condition.of("m.status = '%s'".formatted(status.name()));
    }

    private int[] partitions() {
      Object key = criteria.get(Criterion.ORDERING_KEY);
      return key == null
          ? IntStream.range(0, partitioning.partitions()).toArray()
          : new int[] {partitioning.of((String) value(Criterion.DESTINATION), (String) key)};
    }

    private Part sent() {
      List<Condition> base = new ArrayList<>(List.of(isOf(Status.SENT)));
      between(base, "m.sent_at");
      return ofMessages(
          "sent",
          base,
          BY_STATUS,
          List.of(time("sent_at"), number("seq")),
          true,
          Criterion.STATUS,
          Criterion.ENDED_FROM,
          Criterion.ENDED_BEFORE);
    }

    private Part archived() {
      if (criteria.containsKey(Criterion.AGGREGATE_ID)) {
        return ofArchive(
            "archive-aggregate",
            aggregate(),
            aggregateOrder(),
            Criterion.AGGREGATE_ID,
            Criterion.AGGREGATE_TYPE);
      }
      if (criteria.containsKey(Criterion.ORDERING_KEY)) {
        return ofArchive(
            "archive-key",
            List.of(one("m.ordering_key = ?", Criterion.ORDERING_KEY)),
            SEQ,
            Criterion.ORDERING_KEY);
      }
      if (criteria.containsKey(Criterion.SIGNATURE)) {
        return ofArchive(
            "archive-signature",
            List.of(one("m.signature = ?", Criterion.SIGNATURE)),
            SEQ,
            Criterion.SIGNATURE);
      }
      List<Condition> base = new ArrayList<>();
      between(base, "m.ended_at");
      return ofArchive(
          "archive",
          base,
          List.of(time("ended_at"), number("seq")),
          Criterion.ENDED_FROM,
          Criterion.ENDED_BEFORE);
    }

    private void between(List<Condition> base, String column) {
      if (criteria.containsKey(Criterion.ENDED_FROM)) {
        base.add(one(column + " >= ?", Criterion.ENDED_FROM));
      } else if (criteria.containsKey(Criterion.ENQUEUED_FROM)) {
        base.add(one(column + " >= ?", Criterion.ENQUEUED_FROM)); // it ends after it begins
      }
      if (criteria.containsKey(Criterion.ENDED_BEFORE)) {
        base.add(one(column + " < ?", Criterion.ENDED_BEFORE));
      }
    }

    private List<Condition> aggregate() {
      List<Condition> these = new ArrayList<>();
      these.add(one("m.aggregate_id = ?", Criterion.AGGREGATE_ID));
      if (criteria.containsKey(Criterion.AGGREGATE_TYPE)) {
        these.add(one("m.aggregate_type = ?", Criterion.AGGREGATE_TYPE));
      }
      return these;
    }

    private List<Column> aggregateOrder() {
      return criteria.containsKey(Criterion.AGGREGATE_TYPE)
          ? SEQ
          : List.of(text("aggregate_type"), number("seq"));
    }

    private Object value(Criterion criterion) {
      return Objects.requireNonNull(criteria.get(criterion));
    }

    private Condition one(String sql, Criterion criterion) {
      return Condition.of(sql, value(criterion));
    }

    private Condition range(String sql, Criterion criterion) {
      return Condition.of(sql, value(criterion), value(criterion));
    }

    private Part ofMessages(
        String name,
        List<Condition> base,
        String leading,
        List<Column> order,
        boolean descending,
        Criterion... byBase) {
      return new Part(
          name,
          MESSAGE,
          message,
          base,
          leading,
          order,
          descending,
          filter(
              "m.status = ANY (?)",
              "CASE m.status WHEN 'SENT' THEN m.sent_at WHEN 'DEAD' THEN m.due_at END",
              byBase));
    }

    private Part ofArchive(
        String name, List<Condition> base, List<Column> order, Criterion... byBase) {
      return new Part(
          name,
          ARCHIVED,
          archive,
          base,
          "",
          order,
          true,
          filter("m.outcome = ANY (?)", "m.ended_at", byBase));
    }

    /** The criteria of the filter that the base does not cover. */
    private List<Condition> filter(String status, String ended, Criterion... byBase) {
      Map<Criterion, Object> rest = new EnumMap<>(Criterion.class);
      rest.putAll(criteria);
      List.of(byBase).forEach(rest::remove);
      List<Condition> filter = new ArrayList<>();
      rest.forEach(
          (criterion, value) -> filter.add(Condition.of(sql(criterion, status, ended), value)));
      return filter;
    }

    private static String sql(Criterion criterion, String status, String ended) {
      return switch (criterion) {
        case IDS -> "m.id = ANY (?)";
        case STATUS -> status;
        case DESTINATION -> "m.destination = ?";
        case EVENT_TYPE -> "m.event_type = ?";
        case AGGREGATE_TYPE -> "m.aggregate_type = ?";
        case AGGREGATE_ID -> "m.aggregate_id = ?";
        case ORDERING_KEY -> "m.ordering_key = ?";
        case SIGNATURE -> "m.signature = ?";
        case ENQUEUED_FROM -> "m.created_at >= ?";
        case ENQUEUED_BEFORE -> "m.created_at < ?";
        case ENDED_FROM -> ended + " >= ?";
        case ENDED_BEFORE -> ended + " < ?";
      };
    }
  }
}
