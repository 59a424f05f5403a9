package io.postbox.outbox.ops;

import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.RedriveCourse;
import io.postbox.common.ops.RedriveCourse.Nouns;
import io.postbox.common.ops.RedriveCourse.Phase;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.store.OperatorStore.Decided;
import io.postbox.outbox.store.OperatorStore.Fate;
import io.postbox.outbox.store.OperatorStore.Place;
import io.postbox.outbox.store.OperatorStore.Row;
import io.postbox.outbox.store.OperatorStore.Those;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an action on dead letters. A page of places is kept between two steps, so that not
 * every step has to look for its letters; a node that takes over reads it again, and finds no
 * letter that is done. Not thread-safe.
 */
final class LetterSteps {
  /** How many places are read at once, of all partitions together. */
  private static final int PAGE = 10_000;

  /** How far ahead letters are marked; the relay sends them at their times. */
  private static final Duration HORIZON = Duration.ofSeconds(5);

  private static final Nouns NOUNS = new Nouns("letters", "dead letters");

  private final OperatorStore store;
  private final AuditStore audit;
  private @Nullable Page page;
  private Runnable onCommit = () -> {};

  LetterSteps(OperatorStore store, AuditStore audit) {
    this.store = store;
    this.audit = audit;
  }

  /**
   * Letters of one partition that are not done yet.
   *
   * @param partition its number
   * @param seqs their sequence numbers, in order
   */
  private record Group(int partition, List<Long> seqs) {}

  /**
   * The letters behind a place that are not done yet.
   *
   * @param action the action that they belong to
   * @param after the place
   * @param last the place of the last one
   * @param full whether others may follow
   * @param groups the letters by partition
   */
  private record Page(UUID action, long after, long last, boolean full, Deque<Group> groups) {

    static Page of(UUID action, long after, List<Place> places, int limit) {
      Deque<Group> groups = new ArrayDeque<>();
      places.stream()
          .collect(Collectors.groupingBy(Place::partition, TreeMap::new, Collectors.toList()))
          .forEach(
              (partition, some) ->
                  groups.add(
                      new Group(
                          partition, new ArrayList<>(some.stream().map(Place::seq).toList()))));
      long last = places.isEmpty() ? after : places.get(places.size() - 1).seq();
      return new Page(action, after, last, places.size() == limit, groups);
    }

    boolean isFor(UUID id, LetterProgress progress) {
      return action.equals(id) && after == progress.after();
    }

    /** Takes the first of its first group out. */
    void remove(int some) {
      List<Long> seqs = groups.getFirst().seqs();
      seqs.subList(0, some).clear();
      if (seqs.isEmpty()) {
        groups.removeFirst();
      }
    }
  }

  /** Reads the next page if the present one is not the right one. */
  void prepare(Connection connection, Claimed seen, MessagePlan plan) throws SQLException {
    LetterProgress progress = LetterProgress.of(seen.progress(), plan);
    Page present = page;
    UUID id = seen.action().id();
    if (progress.course().phase() == Phase.WATCH
        || isFirstDone(progress, plan)
        || (present != null && present.isFor(id, progress))) {
      return;
    }
    RedriveCourse course = progress.course(); // another node may have begun with the first ones
    int limit = course.phase() == Phase.FIRST ? course.firstLeft(plan.first()) : PAGE;
    List<Place> places = store.candidates(connection, plan.selection(), progress.after(), limit);
    page = Page.of(id, progress.after(), places, limit);
  }

  /** Takes a step, and adds the lanes that may have work then. */
  Step step(Connection connection, Claimed claimed, MessagePlan plan, Consumer<Lane> lanes)
      throws SQLException {
    LetterProgress progress = LetterProgress.of(claimed.progress(), plan);
    onCommit = () -> {};
    if (progress.course().phase() == Phase.WATCH) {
      return watch(connection, progress);
    }
    if (isFirstDone(progress, plan)) {
      return Step.goOn(0, progress.with(progress.course().watch()).toJson());
    }
    Page present = page;
    if (present == null || !present.isFor(claimed.action().id(), progress)) {
      return Step.again();
    }
    Duration tooEarly = progress.course().untilDue(HORIZON, claimed.now());
    if (!tooEarly.isZero()) {
      return Step.waiting(tooEarly);
    }
    if (present.groups().isEmpty()) {
      return endOfPage(present, progress, 0);
    }
    Group group = present.groups().getFirst();
    int size = Math.min(group.seqs().size(), atOnce(plan));
    boolean isLast = present.groups().size() == 1 && group.seqs().size() == size;
    onCommit = () -> present.remove(size);
    Group some = new Group(group.partition(), List.copyOf(group.seqs().subList(0, size)));
    Changed changed = change(connection, claimed, plan, some, progress, lanes);
    return isLast
        ? endOfPage(present, changed.progress(), changed.letters())
        : Step.goOn(changed.letters(), changed.progress().toJson());
  }

  /** A node has ended after the last of the first ones, which others went with. */
  private static boolean isFirstDone(LetterProgress progress, MessagePlan plan) {
    return progress.course().phase() == Phase.FIRST
        && progress.course().firstLeft(plan.first()) == 0;
  }

  /** The last step is committed. */
  void committed() {
    onCommit.run();
    onCommit = () -> {};
  }

  private static int atOnce(MessagePlan plan) {
    return plan.isRedrive()
        ? (int) Math.min(BackgroundActions.MOST_AT_ONCE, plan.perSecond() * HORIZON.toSeconds())
        : BackgroundActions.MOST_AT_ONCE;
  }

  private static Step endOfPage(Page page, LetterProgress progress, long changed) {
    LetterProgress next = progress.after(page.last());
    return page.full() || next.course().phase() == Phase.WATCH
        ? Step.goOn(changed, next.toJson())
        : Step.last(changed, next.toJson());
  }

  private record Changed(long letters, LetterProgress progress) {}

  private Changed change(
      Connection connection,
      Claimed claimed,
      MessagePlan plan,
      Group some,
      LetterProgress progress,
      Consumer<Lane> lanes)
      throws SQLException {
    int partition = some.partition();
    Instant now = store.lock(connection, partition);
    Decided found = store.decided(connection, partition, some.seqs(), plan.selection());
    List<Row> letters = found.chosen();
    if (letters.isEmpty()) {
      return new Changed(0, progress);
    }
    letters.forEach(letter -> lanes.accept(new Lane(partition, letter.destination())));
    LetterProgress next = progress;
    long changed;
    if (plan.isRedrive()) {
      Instant start = progress.course().nextDue(now);
      int due = new Redrive(store, plan.perSecond(), start).on(connection, partition, found, now);
      changed = letters.size();
      next =
          progress.with(
              progress
                  .course()
                  .redriven(
                      RedriveCourse.after(start, due, plan.perSecond()),
                      letters.stream().map(letter -> letter.id().toString()).toList()));
    } else {
      changed = store.discard(connection, Those.DEAD, partition, found);
    }
    audit.add(connection, claimed.action().id(), changed);
    return new Changed(changed, next);
  }

  private Step watch(Connection connection, LetterProgress progress) throws SQLException {
    RedriveCourse course = progress.course();
    Fate fate = store.fate(connection, course.first().stream().map(UUID::fromString).toList());
    return course.watched(
        fate.failedAgain(),
        fate.waiting(),
        fate.failedAgain(),
        progress.with(course.rest()).toJson(),
        NOUNS);
  }
}
