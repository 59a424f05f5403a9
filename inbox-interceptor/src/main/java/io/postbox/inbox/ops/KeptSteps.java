package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Busy;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.ops.RedriveCourse;
import io.postbox.common.ops.RedriveCourse.Nouns;
import io.postbox.common.ops.RedriveCourse.Phase;
import io.postbox.common.store.ActionTable.Change;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.ops.KeptActionPlan.Source;
import io.postbox.inbox.ops.KeptRelease.Released;
import io.postbox.inbox.store.BusyRows;
import io.postbox.inbox.store.ErasureStore.Done;
import io.postbox.inbox.store.KeptRows.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the inbox's actions: those of erasures, and those on kept messages. A discard, or a
 * hold, takes up to 1,000 in a step. A redrive hands one back, and sends its copy once that is
 * committed; one that cannot be sent is taken back by the next step. A page of ids is kept between
 * two steps; a node that takes over reads it again. Not thread-safe.
 */
final class KeptSteps implements ActionRunner.Work {
  /** What is done with messages, as its action says. */
  static final String REDRIVE = "redrive";

  static final String HOLD = "hold";
  static final String DISCARD = "discard";

  private static final int PAGE = 10_000;
  private static final int DISCARDED_AT_ONCE = 1_000;

  /** For a lock, which a handler may have as long as it runs. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /** Then other actions have their turn. */
  private static final Duration UNTIL_NEXT_LOOK = Duration.ofSeconds(1);

  /** How far ahead of the rate messages are sent. */
  private static final Duration HORIZON = Duration.ofSeconds(1);

  private static final Nouns NOUNS = new Nouns("messages", "kept");

  /** After so many refusals in a row the broker is at fault, and not the messages. */
  private static final int PATIENCE = 3;

  private final Function<Source, KeptRelease> releases;
  private final Function<Source, KeptDiscard> discards;
  private final KeptSender sender;
  private final AuditStore audit;
  private final Dialect dialect;
  private final Function<ErasureQuery, List<ErasurePlace<?>>> erased;
  private final BooleanSupplier isEncrypted;
  private @Nullable Page page;
  private Runnable onCommit = () -> {};

  /** Whose copies were not sent, by their actions, until that is written. */
  private final Map<UUID, Refused> refused = new HashMap<>();

  /**
   * @param releases takes messages out
   * @param discards discards or holds them
   * @param sender sends them
   * @param audit where the record goes
   * @param dialect the database's
   * @param erased where to look for what is to be erased
   * @param isEncrypted whether the application has a cipher
   */
  KeptSteps(
      Function<Source, KeptRelease> releases,
      Function<Source, KeptDiscard> discards,
      KeptSender sender,
      AuditStore audit,
      Dialect dialect,
      Function<ErasureQuery, List<ErasurePlace<?>>> erased,
      BooleanSupplier isEncrypted) {
    this.releases = releases;
    this.discards = discards;
    this.sender = sender;
    this.audit = audit;
    this.dialect = dialect;
    this.erased = erased;
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
   * A message that was handed back and is taken back, for its copy was not sent.
   *
   * @param before the action's progress without it
   */
  private record Refused(StoredRow row, KeptProgress before, NotSentException why) {}

  @Override
  public void prepare(Connection connection, Claimed seen) throws SQLException {
    if (isErasure(seen.action())) {
      return;
    }
    KeptActionPlan plan = KeptActionPlan.of(seen.plan());
    KeptProgress progress = KeptProgress.of(seen.progress(), plan.pace().first());
    Page present = page;
    UUID id = seen.action().id();
    if (progress.course().phase() != Phase.WATCH
        && (present == null || !present.goesOn(id, progress))) {
      List<Long> ids =
          releases
              .apply(plan.source())
              .rows()
              .candidates(connection, plan.filter(), progress.after(), plan.upTo(), PAGE);
      page = new Page(id, progress.after(), ids);
    }
  }

  @Override
  public Step step(Connection connection, Claimed claimed) throws SQLException {
    onCommit = () -> {};
    BusyRows.limitWaits(connection, dialect, LONGEST_WAIT);
    try {
      return isErasure(claimed.action())
          ? new ErasureSteps(audit)
              .step(connection, claimed, erased.apply(ErasureQuery.of(claimed.plan())))
          : kept(connection, claimed);
    } catch (SQLException failed) {
      if (BusyRows.areShownBy(failed)) { // no failure, however long the handler runs
        throw new Busy(UNTIL_NEXT_LOOK, failed);
      }
      throw failed;
    }
  }

  private static boolean isErasure(OperatorAction action) {
    return action.kind().equals(ErasureControl.KIND);
  }

  private Step kept(Connection connection, Claimed claimed) throws SQLException {
    KeptActionPlan plan = KeptActionPlan.of(claimed.plan());
    KeptProgress progress = KeptProgress.of(claimed.progress(), plan.pace().first());
    UUID id = claimed.action().id();
    Refused last = refused.get(id);
    if (last != null) {
      onCommit = () -> refused.remove(id);
      return progress.after() == last.row().id()
          ? takeBack(connection, id, plan, last)
          : Step.again(); // another node has gone on
    }
    RedriveCourse course = progress.course();
    if (course.phase() == Phase.WATCH) {
      return watch(connection, plan, progress);
    }
    if (course.phase() == Phase.FIRST && course.firstLeft(plan.pace().first()) == 0) {
      return Step.goOn(0, progress.with(course.watch()).toJson());
    }
    Page present = page;
    if (present == null || !present.goesOn(id, progress)) {
      return Step.again();
    }
    if (present.ids.isEmpty()) {
      if (!course.first().isEmpty()) { // fewer than were to go first
        return Step.goOn(0, progress.with(course.watch()).toJson());
      }
      return new Step(
          new Change(State.DONE, 0, 0, progress.toJson(), note(claimed.action(), progress)), null);
    }
    if (claimed.action().kind().equals(REDRIVE)) {
      return redrive(connection, claimed, plan, present, progress);
    }
    List<Long> some = present.first(DISCARDED_AT_ONCE);
    Done done =
        claimed.action().kind().equals(HOLD)
            ? discards.apply(plan.source()).hold(connection, plan.filter(), some)
            : discards.apply(plan.source()).discard(connection, plan.filter(), some);
    if (done.discarded() > 0) {
      audit.add(connection, id, done.discarded());
    }
    return Step.goOn(done.discarded(), progress.done(some.get(done.through() - 1)).toJson());
  }

  private Step watch(Connection connection, KeptActionPlan plan, KeptProgress progress)
      throws SQLException {
    RedriveCourse course = progress.course();
    List<Fate> fates =
        releases
            .apply(plan.source())
            .rows()
            .fates(connection, course.first().stream().map(Long::valueOf).toList());
    return course.watched(
        Collections.frequency(fates, Fate.FAILED),
        Collections.frequency(fates, Fate.WAITING),
        0,
        progress.with(course.rest()).toJson(),
        NOUNS);
  }

  private static @Nullable String note(OperatorAction action, KeptProgress progress) {
    return action.failures() == 0
        ? null
        : "%s messages could not be sent and are still kept. The last was %s"
            .formatted(action.failures(), progress.lastRefusal());
  }

  private Step redrive(
      Connection connection,
      Claimed claimed,
      KeptActionPlan plan,
      Page present,
      KeptProgress progress)
      throws SQLException {
    RedriveCourse course = progress.course();
    Duration tooEarly = course.untilDue(HORIZON, claimed.now());
    if (!tooEarly.isZero()) {
      return Step.waiting(tooEarly);
    }
    KeptRelease release = releases.apply(plan.source());
    long id = present.ids.getFirst();
    try {
      Optional<Released> released = release.handBack(connection, plan, id);
      if (released.isEmpty()) {
        return Step.goOn(0, progress.done(id).toJson());
      }
      audit.add(connection, claimed.action().id(), 1);
      released
          .get()
          .copy()
          .ifPresent(copy -> onCommit = () -> send(claimed.action().id(), copy, progress));
      Instant next = RedriveCourse.after(course.nextDue(claimed.now()), 1, plan.pace().perSecond());
      RedriveCourse sent = course.redriven(next, List.of(String.valueOf(id)));
      return Step.goOn(1, progress.done(id).with(sent).toJson());
    } catch (NotSentException notMade) {
      return refused(0, progress, id, notMade);
    }
  }

  @Override
  public void committed() {
    Runnable last = onCommit;
    onCommit = () -> {};
    last.run();
  }

  private void send(UUID action, Outgoing copy, KeptProgress before) {
    try {
      sender.send(copy);
    } catch (NotSentException notSent) {
      refused.put(action, new Refused(copy.stored(), before, notSent));
    }
  }

  /** Keeps a message aside again whose copy was not sent. */
  private Step takeBack(Connection connection, UUID action, KeptActionPlan plan, Refused last)
      throws SQLException {
    StoredRow row = last.row();
    if (!releases.apply(plan.source()).rows().takeBack(connection, row.id(), row.generation())) {
      return Step.again(); // it was sent all the same, or by another node
    }
    audit.add(connection, action, -1);
    return refused(1, last.before(), row.id(), last.why());
  }

  private Step refused(int handedBack, KeptProgress before, long id, NotSentException notSent) {
    Throwable cause = notSent.getCause();
    String why =
        isEncrypted.getAsBoolean() && cause != null
            ? InboxLog.EXCEPTIONS.brief(cause, isEncrypted())
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
  public void done(OperatorAction action) {
    if (action.kind().equals(REDRIVE)) {
      InboxLog.redriven(
          action.done(), action.failures(), action.subject(), action.principal(), action.reason());
    } else if (action.kind().equals(HOLD)) {
      InboxLog.held(action.done(), action.subject(), action.principal(), action.reason());
    } else {
      InboxLog.discarded(action.done(), action.subject(), action.principal(), action.reason());
    }
  }

  @Override
  public boolean isEncrypted() {
    return isEncrypted.getAsBoolean();
  }
}
