package io.postbox.common.ops;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasurePlan.Found;
import io.postbox.common.ErasureReport;
import io.postbox.common.ErasureTarget;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.LookupPage;
import io.postbox.common.OperatorAction;
import io.postbox.common.PlanToken;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.LocalTransactions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Plans and starts a module's erasures. {@link io.postbox.common.Erasure} says what the methods do.
 * Thread-safe.
 *
 * @param transactions for the reads
 * @param table the actions
 * @param records finds the copies that operators made
 * @param places where to look for a target; throws if the module cannot look for it
 * @param tokens of the service
 * @param dataSubjects makes the digests of persons, if configured
 * @param actions starts them
 * @param log has the module's line about a start
 * @param failure the module's exception, from what happened and the cause
 */
public record ErasureControl(
    LocalTransactions transactions,
    ActionTable table,
    ErasedRecords records,
    Function<ErasureQuery, List<ErasurePlace<?>>> places,
    PlanTokens tokens,
    Optional<DataSubjectKey> dataSubjects,
    ActionControl actions,
    Consumer<OperatorAction> log,
    BiFunction<String, SQLException, RuntimeException> failure) {
  /** The kind of the actions. */
  public static final String KIND = "erase";

  /** How many rows a page examines, and how many pages a plan reads of one place. */
  private static final int PAGE = 10_000;

  private static final int MOST_PAGES = 10;

  /** Counts what an erasure would touch. */
  public ErasurePlan plan(ErasureTarget target, String principal) {
    try {
      Instant asOf = transactions.commit(table::now);
      ErasureTarget all =
          target instanceof Messages messages
              ? new Messages(transactions.commit(it -> records.withCopies(it, messages.ids())))
              : target;
      ErasureQuery query = ErasureQuery.of(all, dataSubjects, tokens::digest, asOf);
      List<Found> found = new ArrayList<>();
      for (ErasurePlace<?> place : places.apply(query)) {
        found.add(count(place));
      }
      ErasurePlan counted = new ErasurePlan(PlanToken.NONE, all, asOf, query.subject(), found);
      PlanToken token = tokens.issue(principal, content(counted, query));
      return new ErasurePlan(token, all, asOf, query.subject(), found);
    } catch (SQLException failed) {
      throw failure.apply("The data to erase cannot be counted", failed);
    }
  }

  private Found count(ErasurePlace<?> place) throws SQLException {
    long rows = 0;
    Optional<String> after = Optional.of("");
    for (int page = 0; page < MOST_PAGES && after.isPresent(); page++) {
      String from = after.get();
      LookupPage<?> next = transactions.commit(it -> place.page(it, from, PAGE));
      rows += next.items().size();
      after = next.next();
    }
    return new Found(place.name(), rows, after.isEmpty());
  }

  /** Starts to erase. */
  public OperatorAction erase(ErasurePlan plan, String principal, String reason) {
    String checked = Reasons.checked(reason);
    ErasureQuery query = ErasureQuery.of(plan.target(), dataSubjects, tokens::digest, plan.asOf());
    tokens.check(plan.token(), principal, content(plan, query));
    Entry entry = new Entry(plan.token().id(), KIND, principal, checked, query.subject());
    OperatorAction started = actions.start(plan.token(), entry, query.toJson(), plan.rows());
    log.accept(started);
    return started;
  }

  /** The progress of an erasure. */
  public Optional<ErasureReport> report(UUID id) {
    try {
      return transactions.commit(
          connection -> {
            Optional<OperatorAction> action =
                table.get(connection, id).filter(it -> it.kind().equals(KIND));
            return action.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    new ErasureReport(
                        action.get(), ErasureProgress.of(table.progress(connection, id)).report()));
          });
    } catch (SQLException failed) {
      throw failure.apply("The erasure's report cannot be read", failed);
    }
  }

  private static List<Object> content(ErasurePlan plan, ErasureQuery query) {
    List<Object> content = new ArrayList<>(List.of("erasure"));
    content.addAll(query.content());
    plan.places()
        .forEach(found -> content.addAll(List.of(found.place(), found.rows(), found.complete())));
    return content;
  }
}
