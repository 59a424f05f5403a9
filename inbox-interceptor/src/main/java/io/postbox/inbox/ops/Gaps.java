package io.postbox.inbox.ops;

import io.postbox.common.LookupPage;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Change;
import io.postbox.common.store.ActionTable.Planned;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapFilter.Criterion;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.OrderLog;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.store.GapStore;
import io.postbox.inbox.store.GapStore.Row;
import io.postbox.inbox.store.VersionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Finds gaps in the order of versions and skips them, and audits that. Each query is a transaction
 * of its own. Thread-safe.
 */
public final class Gaps {
  private static final int MOST_DISCARDED = 1_000;
  private static final int MOST_KEPT = 100;
  private static final String PROBLEM = "The gaps in the order of versions cannot be read";

  private final LocalTransactions transactions;
  private final OperatorCalls calls;
  private final GapStore store;
  private final VersionStore versions;
  private final AuditStore audit;
  private final Plans plans;

  public Gaps(Dialect dialect, InboxConfig config, DataSource dataSource) {
    plans = BackgroundActions.plans(dialect, config, dataSource);
    calls = plans.calls();
    transactions = calls.transactions();
    audit = plans.audit();
    store = new GapStore(dialect, config.tables());
    versions = new VersionStore(dialect, config.tables());
  }

  public LookupPage<VersionGap> find(GapFilter filter, String after, int size) {
    LookupPage.checkSize(size);
    return calls.ask(
        PROBLEM,
        connection -> {
          LookupPage<Row> found = store.page(connection, filter, after, size);
          return new LookupPage<>(all(connection, found.items()), found.next(), found.note());
        });
  }

  public GapPlan plan(GapFilter filter, String principal) {
    return plan(filter, principal, GapPlan.LARGEST);
  }

  GapPlan plan(GapFilter filter, String principal, int most) {
    List<VersionGap> gaps = new ArrayList<>();
    Optional<String> after = Optional.of("");
    do {
      String from = after.get();
      LookupPage<Row> found =
          calls.commit(PROBLEM, connection -> store.page(connection, filter, from, most));
      for (VersionGap gap : calls.commit(PROBLEM, connection -> all(connection, found.items()))) {
        if (gaps.size() < most && (isNamed(filter) || !gap.isAnyHere())) {
          gaps.add(gap);
        }
      }
      after = found.next();
    } while (after.isPresent() && gaps.size() < most);
    List<VersionGap> kept = gaps.subList(0, PlannedGaps.fitting(gaps));
    return new GapPlan(
        plans.keep(principal, "version gaps: " + filter, PlannedGaps.toJson(kept), kept.size()),
        filter,
        kept);
  }

  /**
   * Skips the gaps of a plan.
   *
   * @param plan its id
   * @param released is told each consumer of which a gap was skipped
   * @throws IllegalArgumentException if there is no reason
   * @throws PlanRefusedException if the plan is invalid
   * @throws InboxException if the database failed
   */
  public SkippedGaps skip(UUID plan, String principal, String reason, Consumer<String> released) {
    Order order = new Order(plan, "skip-gaps", principal, reason);
    List<VersionGap> gaps =
        plans.commit(order, (connection, planned) -> begin(connection, order, planned));
    int skipped = 0;
    int changed = 0;
    try {
      for (VersionGap gap : gaps) {
        if (transactions.commit(connection -> skip(connection, order, gap))) {
          skipped++;
          OrderLog.skipped(gap, principal, order.reason());
          released.accept(gap.consumer());
        } else {
          changed++;
        }
      }
    } catch (SQLException failed) {
      throw new InboxException(
          "The skip stopped after %s gaps. These are done and audited; make another plan for the others. Reason: %s"
              .formatted(skipped, InboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
    return new SkippedGaps(skipped, changed);
  }

  private Optional<List<VersionGap>> begin(Connection connection, Order order, Planned plan)
      throws SQLException {
    Optional<List<VersionGap>> gaps = PlannedGaps.of(plan.plan());
    if (gaps.isPresent()) {
      plans.begin(connection, order, plan.subject(), ActionTable.ERASED, State.DONE, 0);
    }
    return gaps;
  }

  /** Whether the filter names an aggregate. */
  private static boolean isNamed(GapFilter filter) {
    return filter.criteria().containsKey(Criterion.AGGREGATE_ID);
  }

  /** Whether a missing version has arrived or was parked that the operator has not seen. */
  private boolean isMoreHere(Connection connection, VersionGap seen) throws SQLException {
    VersionGap now =
        gap(
            connection,
            new Row(
                seen.consumer(),
                new Aggregate(seen.aggregateType(), seen.aggregateId(), seen.lastHandled()),
                seen.firstWaiting(),
                seen.waiting(),
                seen.missingSince()));
    Set<Long> known =
        seen.here().stream().map(VersionGap.Here::version).collect(Collectors.toSet());
    return !seen.kept().containsAll(now.kept())
        || now.here().stream().anyMatch(each -> !known.contains(each.version()));
  }

  /** Skips a gap, unless it has changed since the plan was made. */
  private boolean skip(Connection connection, Order order, VersionGap gap) throws SQLException {
    Aggregate aggregate = new Aggregate(gap.aggregateType(), gap.aggregateId(), gap.lastHandled());
    Standing place = versions.lock(connection, gap.consumer(), aggregate, 0);
    if (place.isNew()) {
      versions.forget(connection, gap.consumer(), aggregate);
    }
    if (place.isNew()
        || place.version() != gap.lastHandled()
        || versions.firstWaiting(connection, gap.consumer(), aggregate).orElse(-1L)
            != gap.firstWaiting()
        || isMoreHere(connection, gap)) {
      return false;
    }
    versions.skipTo(
        connection,
        gap.consumer(),
        new Aggregate(gap.aggregateType(), gap.aggregateId(), gap.firstWaiting()),
        place.first());
    audit.add(connection, order.plan(), 1);
    plans.table().save(connection, order.plan(), new Change(State.DONE, 1, 0, null, null));
    audit.write(
        connection,
        new Order("skip-versions", order.principal(), order.reason())
            .entry(
                "'%s', %s %s: missing %s; last handled %s, first waiting %s"
                    .formatted(
                        gap.consumer(),
                        gap.aggregateType(),
                        gap.aggregateId(),
                        gap.missingVersions(),
                        gap.lastHandled(),
                        gap.firstWaiting())),
        1);
    return true;
  }

  /**
   * How many gaps of a consumer are older than an age, up to a limit, and the oldest of them.
   *
   * @param most where the count stops
   */
  public Overdue overdue(String consumer, Duration age, int most) throws SQLException {
    return transactions.eachAlone(
        connection -> {
          int number = store.overdue(connection, consumer, age, most);
          return new Overdue(
              number,
              number == 0
                  ? Optional.empty()
                  : all(
                          connection,
                          store.page(connection, GapFilter.all().consumer(consumer), "", 1).items())
                      .stream()
                      .findAny());
        });
  }

  /**
   * Gaps that are too old.
   *
   * @param number how many
   * @param oldest the oldest one, if it is still there
   */
  public record Overdue(int number, Optional<VersionGap> oldest) {}

  private List<VersionGap> all(Connection connection, List<Row> rows) throws SQLException {
    List<VersionGap> gaps = new ArrayList<>();
    for (Row row : rows) {
      gaps.add(gap(connection, row));
    }
    return gaps;
  }

  private VersionGap gap(Connection connection, Row row) throws SQLException {
    return new VersionGap(
        row.consumer(),
        row.aggregate().type(),
        row.aggregate().id(),
        row.aggregate().version(),
        row.firstWaiting(),
        MissingVersions.between(
            row.aggregate().version(),
            row.firstWaiting(),
            store.discarded(connection, row, MOST_DISCARDED)),
        row.waiting(),
        row.since(),
        store.kept(connection, row, MOST_KEPT),
        store.here(connection, row, MOST_KEPT));
  }
}
