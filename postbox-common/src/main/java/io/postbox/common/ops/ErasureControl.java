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
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ErasedRecords;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Plans and starts a module's erasures. {@link io.postbox.common.Erasure} says what the methods do.
 * Thread-safe.
 *
 * @param records finds the copies that operators made
 * @param places where to look for a target; throws if the module cannot look for it
 * @param digest stands for a text that is not to be stored, the same on every node
 * @param dataSubjects makes the digests of persons, if configured
 * @param actions starts them
 */
public record ErasureControl(
    ErasedRecords records,
    Function<ErasureQuery, List<ErasurePlace<?>>> places,
    UnaryOperator<String> digest,
    Optional<DataSubjectKey> dataSubjects,
    ActionControl actions) {
  /** The kind of the actions. */
  public static final String KIND = "erase";

  /** How many rows a page examines, and how many pages a plan reads of one place. */
  private static final int PAGE = 10_000;

  private static final int MOST_PAGES = 10;
  private static final int LONGEST_DIGEST = 22;

  /** Counts what an erasure would touch. */
  public ErasurePlan plan(ErasureTarget target, String principal) {
    Instant asOf = count(actions.table()::now);
    ErasureTarget all =
        target instanceof Messages messages
            ? new Messages(count(connection -> records.withCopies(connection, messages.ids())))
            : target;
    ErasureQuery query = ErasureQuery.of(all, dataSubjects, digest, asOf);
    List<Found> found = places.apply(query).stream().map(this::count).toList();
    long rows = found.stream().mapToLong(Found::rows).sum();
    PlanToken token = actions.plans().keep(principal, query.subject(), query.toJson(), rows);
    return new ErasurePlan(token, all, asOf, query.subject(), found);
  }

  private Found count(ErasurePlace<?> place) {
    long rows = 0;
    Optional<String> after = Optional.of("");
    for (int page = 0; page < MOST_PAGES && after.isPresent(); page++) {
      String from = after.get();
      LookupPage<?> next = count(connection -> place.page(connection, from, PAGE));
      rows += next.items().size();
      after = next.next();
    }
    return new Found(place.name(), rows, after.isEmpty());
  }

  private <T> T count(Work<T> work) {
    return actions.calls().commit("The data to erase cannot be counted", work);
  }

  /** Starts to erase. */
  public OperatorAction erase(UUID plan, String principal, String reason) {
    return actions.start(
        new Order(plan, KIND, principal, reason),
        work -> Optional.of(work).filter(ErasureQuery::isIn));
  }

  /**
   * Makes digests with the key of a service.
   *
   * @param key that its nodes share
   */
  public static UnaryOperator<String> digests(byte[] key) {
    return text ->
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                Digests.hmac(key, ("digest 1 " + text).getBytes(StandardCharsets.UTF_8)))
            .substring(0, LONGEST_DIGEST);
  }

  /** The progress of an erasure. */
  public Optional<ErasureReport> report(UUID id) {
    return actions
        .calls()
        .commit(
            "The erasure's report cannot be read",
            connection -> {
              Optional<OperatorAction> action =
                  actions.table().get(connection, id).filter(it -> it.kind().equals(KIND));
              return action.isEmpty()
                  ? Optional.empty()
                  : Optional.of(
                      new ErasureReport(
                          action.get(),
                          ErasureProgress.of(actions.table().progress(connection, id)).report()));
            });
  }
}
