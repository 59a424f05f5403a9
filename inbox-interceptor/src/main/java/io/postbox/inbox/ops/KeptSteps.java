package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.store.ActionTable.Change;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.log.ActionLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.ops.KeptPace.Phase;
import io.postbox.inbox.ops.KeptPace.Sent;
import io.postbox.inbox.ops.KeptRelease.Released;
import io.postbox.inbox.store.ErasureStore.Done;
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
 * The steps of an action on kept messages. A discard takes up to 1,000 in a step. A redrive hands
 * one back, and sends its copy once that is committed; one that cannot be sent is taken back by the
 * next step. A page of ids is kept between two steps; a node that takes over reads it again. Not
 * thread-safe.
 */
final class KeptSteps implements ActionRunner.Work {
  private static final int PAGE = 10_000;
  private static final int DISCARDED_AT_ONCE = 1_000;

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

  /**
   * A copy that is sent once its row is handed back.
   *
   * @param action whose step has handed it back
   * @param before its progress without this
   * @param refusal why it was not sent
   */
  private record Ready(
      UUID action, Outgoing copy, KeptProgress before, @Nullable NotSentException refusal) {}

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
              .candidates(
                  connection, plan.kind(), plan.filter(), progress.after(), plan.upTo(), PAGE);
      page = new Page(id, progress.after(), ids);
    }
  }

  @Override
  public Step step(Connection connection, Claimed claimed) throws SQLException {
    Ready last = ready;
    ready = null;
    KeptActionPlan plan = KeptActionPlan.of(claimed.plan());
    KeptProgress progress = KeptProgress.of(claimed.progress(), plan.pace());
    if (last != null && last.refusal() != null && last.action().equals(claimed.action().id())) {
      return takeBack(connection, plan, last, last.refusal());
    }
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
      switch (rows.fate(connection, each.row(), each.consumer(), each.messageId())) {
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
    Done done = discards.apply(plan.kind()).discard(connection, some);
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
    try {
      Optional<Released> released = release.handBack(connection, id, replies);
      if (released.isEmpty()) {
        return Step.goOn(0, progress.done(id).toJson());
      }
      audit.add(connection, claimed.action().id(), 1);
      ready =
          released
              .get()
              .copy()
              .map(copy -> new Ready(claimed.action().id(), copy, progress, null))
              .orElse(null);
      KeptPace pace = progress.pace().sent(released.get(), plan.pace(), claimed.now());
      return Step.goOn(1, progress.done(id).with(pace).toJson());
    } catch (NotSentException notMade) {
      return refused(0, progress, id, notMade);
    }
  }

  @Override
  public void committed() {
    Ready last = ready;
    if (last != null && last.refusal() == null) {
      ready = null;
      try {
        sender.send(last.copy());
      } catch (NotSentException notSent) {
        ready = new Ready(last.action(), last.copy(), last.before(), notSent);
      }
    }
  }

  /** Keeps a message aside again whose copy was not sent. */
  private Step takeBack(
      Connection connection, KeptActionPlan plan, Ready last, NotSentException why)
      throws SQLException {
    StoredRow row = last.copy().stored();
    if (!releases.apply(plan.kind()).rows().takeBack(connection, row.id(), row.generation())) {
      return Step.again(); // it was sent all the same, or by another node
    }
    audit.add(connection, last.action(), -1);
    return refused(1, last.before(), row.id(), why);
  }

  private Step refused(int handedBack, KeptProgress before, long id, NotSentException notSent) {
    Throwable cause = notSent.getCause();
    String why =
        isEncrypted.getAsBoolean() && cause != null
            ? describe(cause)
            : String.valueOf(notSent.getMessage());
    KeptProgress next = before.refused(id, notSent.isAtBroker(), why);
    if (next.inARow() < PATIENCE) {
      return new Step(new Change(State.RUNNING, -handedBack, 1, next.toJson(), null), null);
    }
    String note =
        "The broker refused %s messages in a row. The last was %s"
            .formatted(PATIENCE, next.lastRefusal());
    return new Step(
        new Change(State.FAILED, -handedBack, 1 - next.failedSince(), next.again().toJson(), note),
        null);
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
