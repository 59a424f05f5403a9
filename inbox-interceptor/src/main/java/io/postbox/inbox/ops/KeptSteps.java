package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ActionRunner.StepFailed;
import io.postbox.common.store.ActionTable.Change;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.log.ActionLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.KeptPace.Phase;
import io.postbox.inbox.ops.KeptPace.Sent;
import io.postbox.inbox.store.DiscardStore;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an action on kept messages. A discard takes up to 1,000 in a step. A redrive takes
 * one, and sends it behind the last statement of the step: after a crash in between it is sent
 * again, under the same id. A page of ids is kept between two steps; a node that takes over reads
 * it again. Not thread-safe.
 */
final class KeptSteps implements ActionRunner.Work {
  private static final int PAGE = 10_000;
  private static final int DISCARDED_AT_ONCE = 1_000;

  /** Few, because those that are marked and not sent yet have lost the count of their failures. */
  private static final int MARKED_AT_ONCE = 100;

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** After so many refusals in a row the broker is at fault, and not the messages. */
  private static final int PATIENCE = 3;

  private final Function<Kind, KeptRelease> releases;
  private final Function<Kind, KeptDiscard> discards;
  private final KeptSender sender;
  private final AuditStore audit;
  private final BooleanSupplier isEncrypted;
  private @Nullable Page page;
  private @Nullable Ready ready;

  /**
   * @param releases takes messages of a kind out
   * @param discards discards those of a kind
   * @param sender sends them
   * @param audit where the record goes
   * @param isEncrypted whether the application has a cipher
   */
  KeptSteps(
      Function<Kind, KeptRelease> releases,
      Function<Kind, KeptDiscard> discards,
      KeptSender sender,
      AuditStore audit,
      BooleanSupplier isEncrypted) {
    this.releases = releases;
    this.discards = discards;
    this.sender = sender;
    this.audit = audit;
    this.isEncrypted = isEncrypted;
  }

  /** Ids that are not done yet. */
  private static final class Page {
    private final UUID action;
    private final Deque<Long> ids;
    private final boolean full;
    private long from;

    Page(UUID action, long from, List<Long> ids) {
      this.action = action;
      this.from = from;
      this.ids = new ArrayDeque<>(ids);
      full = ids.size() == PAGE;
    }

    /** Leaves out what is done; returns whether it is a page of this action, and not used up. */
    boolean goesOn(UUID id, KeptProgress progress) {
      if (!action.equals(id) || progress.after() < from) {
        return false;
      }
      while (!ids.isEmpty() && ids.getFirst() <= progress.after()) {
        from = ids.removeFirst();
      }
      return !ids.isEmpty() || !full;
    }

    List<Long> first(int most) {
      List<Long> some = new ArrayList<>();
      ids.stream().limit(most).forEach(some::add);
      return some;
    }
  }

  /** A message that is sent behind the last statement. */
  private record Ready(Outgoing message, long id, KeptProgress progress) {}

  @Override
  public void prepare(Connection connection, Claimed seen) throws SQLException {
    KeptActionPlan plan = KeptActionPlan.of(seen.plan());
    KeptProgress progress = KeptProgress.of(seen.progress(), plan.pace());
    Page present = page;
    UUID id = seen.action().id();
    if (progress.pace().phase() != Phase.WATCH
        && (present == null || !present.goesOn(id, progress))) {
      List<Long> ids =
          releases
              .apply(plan.kind())
              .rows()
              .candidates(connection, plan.filter(), progress.after(), plan.upTo(), PAGE);
      page = new Page(id, progress.after(), ids);
    }
  }

  @Override
  public Step step(Connection connection, Claimed claimed) throws SQLException {
    ready = null;
    KeptActionPlan plan = KeptActionPlan.of(claimed.plan());
    KeptProgress progress = KeptProgress.of(claimed.progress(), plan.pace());
    if (progress.pace().phase() == Phase.WATCH) {
      return watch(connection, plan, progress);
    }
    if (progress.pace().phase() == Phase.FIRST
        && progress.pace().first().size() >= plan.pace().first()) {
      return Step.goOn(0, progress.with(progress.pace().watch()).toJson());
    }
    Page present = page;
    if (present == null || !present.goesOn(claimed.action().id(), progress)) {
      return Step.again();
    }
    if (present.ids.isEmpty()) {
      if (!progress.pace().first().isEmpty()) { // fewer than were to go first
        return Step.goOn(0, progress.with(progress.pace().watch()).toJson());
      }
      return new Step(
          new Change(State.DONE, 0, 0, progress.toJson(), note(claimed.action(), progress)), null);
    }
    return plan.redrive().isPresent()
        ? redrive(connection, claimed, plan, plan.redrive().get(), present, progress)
        : discard(connection, claimed, plan, present.first(DISCARDED_AT_ONCE), progress);
  }

  private Step watch(Connection connection, KeptActionPlan plan, KeptProgress progress)
      throws SQLException {
    KeptRows rows = releases.apply(plan.kind()).rows();
    int failed = 0;
    int waiting = 0;
    for (Sent each : progress.pace().first()) {
      switch (rows.fate(connection, each.consumer(), each.messageId(), parkedBefore(plan))) {
        case FAILED -> failed++;
        case WAITING -> waiting++;
        case DONE -> {}
      }
    }
    KeptProgress rest = progress.with(progress.pace().rest());
    if (failed > 0) {
      return Step.stop(
          State.PAUSED,
          0,
          rest.toJson(),
          "%s of the first %s messages failed again. Resume it to redrive the others all the same, or cancel it; they are still kept."
              .formatted(failed, progress.pace().first().size()));
    }
    return waiting > 0 ? Step.waiting(BETWEEN_LOOKS) : Step.goOn(0, rest.toJson());
  }

  /** Rows of the plan itself are no new failures; those of quarantined messages are elsewhere. */
  private static long parkedBefore(KeptActionPlan plan) {
    return plan.kind() == Kind.PARKED ? plan.upTo() : 0;
  }

  private static @Nullable String note(OperatorAction action, KeptProgress progress) {
    return action.failures() == 0
        ? null
        : "%s messages could not be sent and are still kept. The last was %s"
            .formatted(action.failures(), progress.lastRefusal());
  }

  private Step discard(
      Connection connection,
      Claimed claimed,
      KeptActionPlan plan,
      List<Long> some,
      KeptProgress progress)
      throws SQLException {
    DiscardStore.Done done = discards.apply(plan.kind()).discard(connection, some);
    if (done.discarded() > 0) {
      audit.add(connection, claimed.action().id(), done.discarded());
    }
    return Step.goOn(done.discarded(), progress.done(some.get(done.through() - 1)).toJson());
  }

  private Step redrive(
      Connection connection,
      Claimed claimed,
      KeptActionPlan plan,
      ReplyOnRedrive replies,
      Page present,
      KeptProgress progress)
      throws SQLException {
    Duration tooEarly = progress.pace().untilDue(claimed.now());
    if (!tooEarly.isZero()) {
      return Step.waiting(tooEarly);
    }
    KeptRelease release = releases.apply(plan.kind());
    long id = present.ids.getFirst();
    if (plan.kind() == Kind.PARKED && id > progress.marked()) {
      List<Long> some = present.first(markedAtOnce(plan, progress));
      int marked = release.mark(connection, some);
      return Step.goOn(0, progress.marked(some.get(marked - 1)).toJson());
    }
    try {
      if (plan.kind() == Kind.QUARANTINED && release.assign(connection, id)) {
        return Step.again(); // once the new id is committed
      }
      Optional<Outgoing> message = release.take(connection, id, replies);
      if (message.isEmpty()) {
        return Step.goOn(0, progress.done(id).toJson());
      }
      audit.add(connection, claimed.action().id(), 1);
      ready = new Ready(message.get(), id, progress);
      KeptPace pace = progress.pace().sent(message.get(), plan.pace(), claimed.now());
      return Step.goOn(1, progress.done(id).with(pace).toJson());
    } catch (NotSentException notSent) {
      throw refused(progress, id, notSent);
    }
  }

  /** No more than are sent in the next second, and none beyond the first. */
  private static int markedAtOnce(KeptActionPlan plan, KeptProgress progress) {
    int most = Math.min(MARKED_AT_ONCE, plan.pace().perSecond());
    return progress.pace().phase() == Phase.FIRST
        ? Math.min(most, plan.pace().first() - progress.pace().first().size())
        : most;
  }

  @Override
  public void beforeCommit() {
    Ready last = ready;
    ready = null;
    if (last != null) {
      try {
        last.message().sendBy(sender);
      } catch (NotSentException notSent) {
        throw refused(last.progress(), last.id(), notSent);
      }
    }
  }

  private StepFailed refused(KeptProgress before, long id, NotSentException notSent) {
    Throwable cause = notSent.getCause();
    String why =
        isEncrypted.getAsBoolean() && cause != null
            ? describe(cause)
            : String.valueOf(notSent.getMessage());
    KeptProgress next = before.refused(id, notSent.isAtBroker(), why);
    if (next.inARow() < PATIENCE) {
      return new StepFailed(
          new Step(new Change(State.RUNNING, 0, 1, next.toJson(), null), null), notSent);
    }
    String note =
        "The broker refused %s messages in a row. The last was %s"
            .formatted(PATIENCE, next.lastRefusal());
    return new StepFailed(
        Step.stop(State.FAILED, 1 - next.failedSince(), next.again().toJson(), note), notSent);
  }

  @Override
  public void ended(OperatorAction action) {
    if (action.state() != State.DONE) {
      ActionLog.stopped(action);
    } else if (action.kind().equals("redrive")) {
      InboxLog.redriven(
          action.done(), action.failures(), action.subject(), action.principal(), action.reason());
    } else {
      InboxLog.discarded(action.done(), action.subject(), action.principal(), action.reason());
    }
  }

  @Override
  public void failed(Optional<UUID> action, Throwable cause) {
    ActionLog.stepFailed(action, cause);
  }

  @Override
  public String describe(Throwable cause) {
    return InboxLog.EXCEPTIONS.brief(cause, isEncrypted.getAsBoolean());
  }
}
