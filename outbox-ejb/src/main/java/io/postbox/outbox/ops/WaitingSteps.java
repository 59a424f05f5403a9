package io.postbox.outbox.ops;

import io.postbox.common.PlanToken;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.ActionPlan.Waiting;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Place;
import io.postbox.outbox.store.OperatorActionStore;
import io.postbox.outbox.store.WaitingStore;
import io.postbox.outbox.store.WaitingStore.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps of a discard of waiting messages. They go round by round: held messages first, so that
 * none of them becomes pending only to be discarded, then delayed and pending ones; another round
 * follows until one finds nothing. Thread-safe.
 */
final class WaitingSteps {
  /** How many messages one step changes. */
  private static final int BATCH = 1_000;

  private final WaitingStore waiting;
  private final DeadLetterStore claims;
  private final OperatorActionStore decisions;
  private final AuditStore audit;
  private final int partitions;

  WaitingSteps(Dialect dialect, OutboxConfig config, AuditStore audit) {
    waiting = new WaitingStore(dialect, config.tables());
    claims = new DeadLetterStore(dialect, config.tables());
    decisions = OperatorActionStore.aboutWaiting(dialect, config.tables());
    this.audit = audit;
    partitions = config.partitions();
  }

  /**
   * Where a round stands.
   *
   * @param stop the number of the stop: each partition's held messages, the delayed ones, and each
   *     partition's pending ones
   * @param found whether this round has found anything
   */
  private record Round(int stop, boolean found) {
    static Round of(String progress) {
      int stop = progress.isEmpty() ? 0 : Integer.parseInt(progress.substring(1));
      return new Round(stop, progress.startsWith("+"));
    }

    @Override
    public String toString() {
      return (found ? "+" : "-") + stop;
    }
  }

  /** Takes a step, and adds the lanes that may have work then. */
  Step step(Connection connection, Claimed claimed, Waiting plan, Set<Lane> lanes)
      throws SQLException {
    WaitingPlan asked = new WaitingPlan(PlanToken.NONE, plan.destination(), plan.asOf(), 0, 0, 0);
    Round round = Round.of(claimed.progress());
    int stops = 2 * partitions + 1;
    for (int stop = round.stop(); stop < stops; stop++) {
      List<Place> some = waiting.some(connection, state(stop), partition(stop), asked, BATCH);
      long done = discardSome(connection, claimed, asked, some, lanes);
      if (done > 0) {
        return Step.goOn(done, new Round(stop, true).toString());
      }
    }
    return round.found()
        ? Step.goOn(0, new Round(0, false).toString())
        : Step.last(0, new Round(0, false).toString());
  }

  private State state(int stop) {
    return stop < partitions ? State.HELD : stop == partitions ? State.DELAYED : State.PENDING;
  }

  private int partition(int stop) {
    return stop < partitions ? stop : stop == partitions ? 0 : stop - partitions - 1;
  }

  /** Discards those of the first partition that still has some. */
  private long discardSome(
      Connection connection, Claimed claimed, WaitingPlan plan, List<Place> some, Set<Lane> lanes)
      throws SQLException {
    for (Map.Entry<Integer, List<Long>> each : Place.byPartition(some).entrySet()) {
      int partition = each.getKey();
      claims.lock(connection, partition);
      List<DeadLetterRow> messages = waiting.messages(connection, partition, each.getValue(), plan);
      if (!messages.isEmpty()) {
        lanes.add(new Lane(partition, plan.destination()));
        audit.add(connection, claimed.action().id(), messages.size());
        return decisions.discard(connection, partition, messages);
      }
    }
    return 0;
  }
}
