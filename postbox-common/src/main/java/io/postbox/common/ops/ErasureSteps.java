package io.postbox.common.ops;

import io.postbox.common.LookupPage;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasurePlace.Candidate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The steps of an erasure, or of another action that takes rows away: place by place, up to 500
 * rows with one lock at a time. Rows may move from one place to another meanwhile, for instance by
 * being sent; so another round follows until one finds nothing. Thread-safe.
 *
 * @param audit the record
 */
public record ErasureSteps(AuditStore audit) {
  private static final int BATCH = 500;

  /**
   * Takes a step.
   *
   * @param places of the target
   */
  public Step step(Connection connection, Claimed claimed, List<ErasurePlace<?>> places)
      throws SQLException {
    return step(connection, claimed, places, BATCH);
  }

  /**
   * Takes a step.
   *
   * @param places of the target
   * @param most how many rows it takes at most
   */
  public Step step(Connection connection, Claimed claimed, List<ErasurePlace<?>> places, int most)
      throws SQLException {
    UUID id = claimed.action().id();
    ErasureProgress progress = ErasureProgress.of(claimed.progress());
    while (progress.place() < places.size()) {
      Optional<Step> step = in(connection, id, progress, places.get(progress.place()), most);
      if (step.isPresent()) {
        return step.get();
      }
      progress = progress.nextPlace();
    }
    ErasureProgress next = progress.nextRound();
    if (progress.found()) {
      return Step.goOn(0, next.toJson());
    }
    return Step.last(0, next.toJson());
  }

  /** A step in a place; empty if there is nothing more. */
  private <R> Optional<Step> in(
      Connection connection, UUID id, ErasureProgress progress, ErasurePlace<R> place, int most)
      throws SQLException {
    LookupPage<Candidate<R>> page = place.page(connection, progress.after(), most);
    List<Candidate<R>> items = page.items();
    if (items.isEmpty()) {
      return page.next().map(next -> Step.goOn(0, progress.erased(place.name(), 0, next).toJson()));
    }
    Object claim = items.get(0).claim();
    List<Candidate<R>> together =
        items.stream().takeWhile(each -> each.claim().equals(claim)).toList();
    int erased = place.erase(connection, together.stream().map(Candidate::row).toList());
    if (erased > 0) {
      audit.add(connection, id, erased);
    }
    boolean isAll = together.size() == items.size();
    ErasureProgress next =
        isAll && page.next().isEmpty()
            ? progress.erased(place.name(), erased, "").nextPlace()
            : progress.erased(
                place.name(),
                erased,
                isAll ? page.next().get() : together.get(together.size() - 1).after());
    return Optional.of(Step.goOn(erased, next.toJson()));
  }
}
