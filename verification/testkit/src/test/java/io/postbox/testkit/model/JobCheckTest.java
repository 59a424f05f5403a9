package io.postbox.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Event.ActionEnded;
import io.postbox.testkit.model.Event.Decision;
import io.postbox.testkit.model.Event.DestinationSwitched;
import io.postbox.testkit.model.Event.JobsDecided;
import io.postbox.testkit.model.Event.JobsEnqueued;
import io.postbox.testkit.model.Event.JobsSeenKept;
import io.postbox.testkit.model.Event.Place;
import io.postbox.testkit.model.FinalState.Captures;
import io.postbox.testkit.model.FinalState.JobRun;
import io.postbox.testkit.model.FinalState.JobSend;
import io.postbox.testkit.model.FinalState.Jobs;
import io.postbox.testkit.model.FinalState.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Each kind of harm to messages about which an operator decides is put in, and found. */
class JobCheckTest {
  private final List<Event> history = new ArrayList<>();
  private final List<JobRun> runs = new ArrayList<>();
  private final List<JobSend> sends = new ArrayList<>();
  private final List<Stored> captured = new ArrayList<>();

  JobCheckTest() {
    enqueue(1, "jobs", "key", 1, 2, 3);
    go(2, 1);
    go(3, 2);
    go(4, 3);
  }

  @Test
  void jobsThatAreDoneOnceAndInOrderAreFine() {
    assertThat(check()).isEmpty();
  }

  @Test
  void aJobWithoutAnEffectIsLost() {
    enqueue(5, "jobs", "", 4);
    assertThat(check()).containsExactly(new Violation.JobLost(4));
  }

  @Test
  void aDiscardedJobNeedsNoEffectHoweverUncertainTheDiscard() {
    enqueue(5, "jobs", "", 4, 5);
    decide(6, Decision.DISCARD, Place.OUTBOX, 0, true, 4);
    decide(6, Decision.DISCARD, Place.OUTBOX, 0, false, 5);
    assertThat(check()).isEmpty();
  }

  @Test
  void aJobWhoseEnqueueWasNotAnsweredMayBeThereOrNot() {
    history.add(new JobsEnqueued(at(5), at(4.9), "jobs", "", false, List.of(4L, 5L), List.of()));
    go(6, 4);
    assertThat(check()).isEmpty();
  }

  @Test
  void anEffectThatNobodyAskedForIsAGhost() {
    go(5, 9);
    assertThat(check()).containsExactly(new Violation.GhostJob(9));
  }

  @Test
  void aSecondEffectOfAMessageIsTooMuch() {
    run(5, 1, "m-1", "1;lot");
    assertThat(check()).containsExactly(new Violation.JobDoubled(1, 2, 1));
  }

  @Test
  void aSecondEffectUnderAnotherIdHasToBeAskedFor() {
    run(6, 1, "m-1b", "1;lot");
    assertThat(check()).containsExactly(new Violation.JobDoubled(1, 2, 1));
    decide(5, Decision.RESEND, Place.OUTBOX, 0, true, 1);
    assertThat(check()).isEmpty();
  }

  @Test
  void anEditedLetterMayTakeEffectTwiceIfItWasOnItsWay() {
    enqueue(5, "jobs", "", 4);
    run(9, 4, "m-4", "4;lot");
    run(10, 4, "m-4b", "4;lot edited");
    decide(7, Decision.EDIT, Place.OUTBOX, 0, true, 4);
    assertThat(check()).containsExactly(new Violation.JobDoubled(4, 2, 1));
    send(6, "m-4");
    assertThat(check()).isEmpty();
  }

  @Test
  void aDeadLetterThatIsSentWithoutADecisionIsFound() {
    enqueue(5, "jobs", "", 4);
    see(6, Place.OUTBOX, 4);
    go(9, 4);
    assertThat(check()).containsExactly(new Violation.JobUndecided(4, Place.OUTBOX, at(6), at(9)));
    decide(8, Decision.REDRIVE, Place.OUTBOX, 0, true, 4);
    assertThat(check()).isEmpty();
  }

  @Test
  void aRedriveThatHadEndedBeforeItWasSeenIsNoDecision() {
    enqueue(5, "jobs", "", 4);
    decide(6, Decision.REDRIVE, Place.INBOX, 0, true, 4);
    see(7, Place.INBOX, 4);
    go(9, 4);
    assertThat(check()).containsExactly(new Violation.JobUndecided(4, Place.INBOX, at(7), at(9)));
  }

  @Test
  void aRedriveWhoseEndNobodyKnowsMayStillHaveBeenAtWork() {
    enqueue(5, "jobs", "", 4);
    decide(6, Decision.REDRIVE, Place.INBOX, 0, false, 4);
    see(7, Place.INBOX, 4);
    go(9, 4);
    assertThat(check()).isEmpty();
  }

  @Test
  void aLetterThatIsSentAfterItsDiscardIsFound() {
    enqueue(5, "jobs", "", 4);
    decide(6, Decision.DISCARD, Place.OUTBOX, 0, true, 4);
    go(9, 4);
    assertThat(check()).containsExactly(new Violation.JobAfterDiscard(4, at(6), at(9)));
  }

  @Test
  void aLetterThatWasOnItsWayBeforeItsDiscardMayTakeEffect() {
    enqueue(5, "jobs", "", 4);
    send(5.5, "m-4");
    decide(6, Decision.DISCARD, Place.OUTBOX, 0, true, 4);
    run(9, 4, "m-4", "4;lot");
    assertThat(check()).isEmpty();
  }

  @Test
  void aParkedMessageThatIsHandledAfterItsDiscardIsFound() {
    enqueue(5, "jobs", "", 4);
    send(5.5, "m-4");
    decide(6, Decision.DISCARD, Place.INBOX, 0, true, 4);
    run(9, 4, "m-4", "4;lot");
    assertThat(check()).containsExactly(new Violation.JobAfterDiscard(4, at(6), at(9)));
  }

  @Test
  void theOthersOfARedriveWaitForTheFirst() {
    enqueue(5, "jobs", "", 4, 5, 6);
    history.add(
        new JobsDecided(
            at(20), at(6), Decision.REDRIVE, Place.OUTBOX, List.of(4L, 5L, 6L), 2, true));
    go(7, 4);
    go(8, 6);
    go(9, 5);
    assertThat(check()).containsExactly(new Violation.JobBeforeTheFirst(6, 5, at(8)));
  }

  @Test
  void theOthersGoWhereSomebodyLetsThemGoOn() {
    enqueue(5, "jobs", "", 4, 5, 6);
    history.add(
        new JobsDecided(
            at(20), at(6), Decision.REDRIVE, Place.INBOX, List.of(4L, 5L, 6L), 1, true));
    decide(7, Decision.REDRIVE, Place.INBOX, 0, true, 4, 5, 6);
    go(8, 6);
    go(9, 5);
    go(10, 4);
    assertThat(check()).isEmpty();
  }

  @Test
  void aJobOfAKeyThatIsSentBeforeTheOneBeforeItIsFound() {
    enqueue(5, "jobs", "other", 4, 5);
    go(6, 5);
    go(7, 4);
    assertThat(check()).containsExactly(new Violation.JobOutOfOrder(4, "jobs other", 5));
  }

  @Test
  void aJobOfAKeyDoesNotWaitForOneThatIsDiscarded() {
    enqueue(5, "jobs", "other", 4, 5);
    decide(6, Decision.DISCARD, Place.OUTBOX, 0, true, 4);
    go(7, 5);
    assertThat(check()).isEmpty();
  }

  @Test
  void aCapturedJobThatIsDoneBeforeTheOneBeforeItIsFound() {
    enqueue(5, "jobs-captured", "", 4, 5);
    captured.add(new Stored("jobs", "m-4", "k", "PROCESSED"));
    captured.add(new Stored("jobs", "m-5", "k", "PROCESSED"));
    go(6, 5);
    go(7, 4);
    assertThat(check()).containsExactly(new Violation.JobOutOfOrder(4, "k", 5));
  }

  @Test
  void whatAnEditHasChangedTakesEffect() {
    enqueue(5, "jobs", "", 4);
    decide(6, Decision.EDIT, Place.INBOX, 0, true, 4);
    run(7, 4, "m-4", "4;lot");
    assertThat(check()).containsExactly(new Violation.JobAltered(4, "4;lot"));
  }

  @Test
  void whatNobodyEditedIsAsItWas() {
    enqueue(5, "jobs", "", 4);
    run(7, 4, "m-4", "4;lot" + Decision.EDITED);
    assertThat(check()).containsExactly(new Violation.JobAltered(4, "4;lot edited"));
  }

  @Test
  void nothingIsSentToADestinationThatIsPaused() {
    history.add(new DestinationSwitched(at(5), at(4.9), "jobs-aside", true));
    enqueue(6, "jobs-aside", "", 4);
    history.add(new DestinationSwitched(at(10), at(9), "jobs-aside", false));
    go(8, 4);
    assertThat(check()).containsExactly(new Violation.JobDuringPause(4, "jobs-aside", at(8)));
  }

  @Test
  void whatIsSentAfterTheResumeIsFine() {
    history.add(new DestinationSwitched(at(5), at(4.9), "jobs-aside", true));
    enqueue(6, "jobs-aside", "", 4);
    history.add(new DestinationSwitched(at(10), at(7), "jobs-aside", false));
    go(8, 4);
    assertThat(check()).isEmpty();
  }

  @Test
  void anActionThatIsDoneHasChangedWhatItsPlanCounted() {
    history.add(new ActionEnded(at(5), "a", "redrive", "DONE", 3, 2, 0));
    history.add(new ActionEnded(at(5), "c", "redrive", "DONE", 3, 2, 1));
    history.add(new ActionEnded(at(5), "b", "redrive", "CANCELLED", 3, 2, 0));
    assertThat(check()).containsExactly(new Violation.ActionMiscounts("a", "redrive", 3, 2));
  }

  private List<Violation> check() {
    FinalState state =
        new FinalState(
            List.of(),
            List.of(),
            List.of(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            Set.of(),
            new Captures(captured, List.of(), List.of(), 0, List.of()),
            FinalState.Versions.NONE,
            new Jobs(runs, sends),
            Map.of(),
            List.of(),
            List.of());
    return Checker.check(history, state);
  }

  private static Duration at(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  private void enqueue(double at, String destination, String key, long... jobs) {
    history.add(
        new JobsEnqueued(
            at(at),
            at(at - 0.1),
            destination,
            key,
            !key.isEmpty(),
            LongStream.of(jobs).boxed().toList(),
            LongStream.of(jobs).mapToObj(job -> "m-" + job).toList()));
  }

  private void see(double at, Place place, long... jobs) {
    history.add(
        new JobsSeenKept(at(at), at(at - 0.1), place, LongStream.of(jobs).boxed().toList()));
  }

  private void decide(
      double at, Decision decision, Place place, int first, boolean isCertain, long... jobs) {
    history.add(
        new JobsDecided(
            at(at),
            at(at - 0.1),
            decision,
            place,
            LongStream.of(jobs).boxed().toList(),
            first,
            isCertain));
  }

  /** Sent and handled at one time. */
  private void go(double at, long job) {
    send(at, "m-" + job);
    run(at, job, "m-" + job, job + ";lot");
  }

  private void send(double at, String id) {
    sends.add(new JobSend(at(at), id));
  }

  private void run(double at, long job, String id, String text) {
    runs.add(new JobRun(at(at), job, "jobs", id, text));
  }
}
