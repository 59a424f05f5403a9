package io.postbox.testkit.model;

import io.postbox.testkit.model.Event.ActionEnded;
import io.postbox.testkit.model.Event.Decision;
import io.postbox.testkit.model.Event.DestinationSwitched;
import io.postbox.testkit.model.Event.JobsDecided;
import io.postbox.testkit.model.Event.JobsEnqueued;
import io.postbox.testkit.model.Event.JobsSeenKept;
import io.postbox.testkit.model.Event.Place;
import io.postbox.testkit.model.FinalState.JobRun;
import io.postbox.testkit.model.FinalState.JobSend;
import io.postbox.testkit.model.FinalState.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges what became of messages about which an operator decides while servers die.
 *
 * <p>A job about which nobody decided has one effect. One that was seen as a dead letter, or
 * parked, does not go on before somebody has asked for that; none goes on after its discard was
 * confirmed, and none has more effects than were asked for. The jobs of an ordering key are sent in
 * their order, and those that are captured are handled in the order of their capture. Of a redrive
 * with first ones the others wait for those. What an edit has changed stays changed. Nothing is
 * sent to a destination that was paused before.
 *
 * <p>Answers say what was decided for certain. A decision without an answer may have been carried
 * out, or not, or in part.
 */
final class JobCheck {
  private static final Duration FOR_EVER = Duration.ofDays(1_000);

  private final List<Event> history;
  private final FinalState state;
  private final List<JobsEnqueued> enqueued;
  private final Map<Long, List<JobsDecided>> decisions = new HashMap<>();
  private final Map<Long, List<JobRun>> runs = new TreeMap<>();
  private final Map<Long, List<Duration>> sends = new HashMap<>();
  private final Map<Long, Integer> firstSend = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  JobCheck(List<Event> history, FinalState state) {
    this.history = history;
    this.state = state;
    enqueued = all(JobsEnqueued.class).toList();
    all(JobsDecided.class).forEach(decided -> decided.jobs().forEach(job -> of(job).add(decided)));
    Map<String, Long> jobs = new HashMap<>();
    for (JobsEnqueued one : enqueued) {
      for (int i = 0; i < one.ids().size(); i++) {
        jobs.put(one.ids().get(i), one.jobs().get(i));
      }
    }
    for (JobRun run : state.jobs().runs()) {
      runs.computeIfAbsent(run.job(), job -> new ArrayList<>()).add(run);
      jobs.put(run.messageId(), run.job());
    }
    int place = 0;
    for (JobSend send : state.jobs().sends()) {
      Long job = jobs.get(send.messageId());
      if (job != null) {
        sends.computeIfAbsent(job, it -> new ArrayList<>()).add(send.at());
        firstSend.putIfAbsent(job, place);
      }
      place++;
    }
  }

  private List<JobsDecided> of(long job) {
    return decisions.computeIfAbsent(job, it -> new ArrayList<>());
  }

  private <T extends Event> Stream<T> all(Class<T> kind) {
    return history.stream().filter(kind::isInstance).map(kind::cast);
  }

  List<Violation> violations() {
    enqueuedJobsHaveAnEffect();
    effectsWereAskedFor();
    keptJobsWaitForADecision();
    discardedJobsHaveNoEffectAnyMore();
    othersWaitForTheFirst();
    keysKeepTheirOrder();
    keysKeepTheOrderOfCapture();
    editsHaveAnEffect();
    pausedDestinationsSendNothing();
    all(ActionEnded.class)
        .filter(action -> action.state().equals("DONE"))
        .filter(it -> it.done() != it.planned() && it.done() + it.failed() != it.planned())
        .forEach(
            it ->
                violations.add(
                    new Violation.ActionMiscounts(it.id(), it.kind(), it.planned(), it.done())));
    return List.copyOf(violations);
  }

  private void enqueuedJobsHaveAnEffect() {
    enqueued.stream()
        .filter(JobsEnqueued::isCertain)
        .flatMap(one -> one.jobs().stream())
        .filter(job -> !runs.containsKey(job))
        .filter(job -> decided(job, Decision.DISCARD).findAny().isEmpty())
        .forEach(job -> violations.add(new Violation.JobLost(job)));
  }

  private Stream<JobsDecided> decided(long job, Decision decision) {
    return decisions.getOrDefault(job, List.of()).stream()
        .filter(one -> one.decision() == decision);
  }

  /** By message: an edited dead letter has a new id, and its old one may have been on its way. */
  private void effectsWereAskedFor() {
    Set<Long> known =
        enqueued.stream().flatMap(one -> one.jobs().stream()).collect(Collectors.toSet());
    runs.forEach(
        (job, found) -> {
          if (!known.contains(job)) {
            violations.add(new Violation.GhostJob(job));
          }
          found.stream()
              .collect(
                  Collectors.groupingBy(JobRun::messageId, TreeMap::new, Collectors.counting()))
              .values()
              .stream()
              .filter(times -> times > 1)
              .forEach(times -> violations.add(new Violation.JobDoubled(job, times.intValue(), 1)));
          int messages = (int) found.stream().map(JobRun::messageId).distinct().count();
          int allowed = 1 + (int) (decided(job, Decision.RESEND).count() + editedOnTheirWay(job));
          if (messages > allowed) {
            violations.add(new Violation.JobDoubled(job, messages, allowed));
          }
        });
  }

  private long editedOnTheirWay(long job) {
    return decided(job, Decision.EDIT)
        .filter(edit -> went(job, Place.OUTBOX).anyMatch(sent -> isBefore(sent, edit.at())))
        .count();
  }

  /** When the message of a job went on from a place. */
  private Stream<Duration> went(long job, Place place) {
    return place == Place.OUTBOX
        ? sends.getOrDefault(job, List.of()).stream()
        : runs.getOrDefault(job, List.of()).stream().map(JobRun::at);
  }

  private static boolean isBefore(Duration one, Duration other) {
    return one.compareTo(other) < 0;
  }

  private void keptJobsWaitForADecision() {
    all(JobsSeenKept.class)
        .forEach(
            seen ->
                seen.jobs()
                    .forEach(
                        job ->
                            went(job, seen.place())
                                .filter(went -> isBefore(seen.at(), went))
                                .filter(went -> !mayGo(job, seen.at(), went))
                                .findFirst()
                                .ifPresent(
                                    went ->
                                        violations.add(
                                            new Violation.JobUndecided(
                                                job, seen.place(), seen.at(), went)))));
  }

  /** Whether somebody had asked for it, and that had not come to its end when it was seen. */
  private boolean mayGo(long job, Duration seen, Duration went) {
    return decisions.getOrDefault(job, List.of()).stream()
        .filter(one -> one.decision() == Decision.REDRIVE || one.decision() == Decision.RESEND)
        .anyMatch(one -> isBefore(one.asked(), went) && !isBefore(end(one), seen));
  }

  private static Duration end(JobsDecided decided) {
    return decided.isCertain() ? decided.at() : FOR_EVER;
  }

  private void discardedJobsHaveNoEffectAnyMore() {
    decisions.forEach(
        (job, all) ->
            all.stream()
                .filter(one -> one.decision() == Decision.DISCARD && one.isCertain())
                .forEach(
                    discard ->
                        went(job, discard.place())
                            .filter(went -> isBefore(discard.at(), went))
                            .filter(went -> !mayGo(job, discard.at(), went))
                            .findFirst()
                            .ifPresent(
                                went ->
                                    violations.add(
                                        new Violation.JobAfterDiscard(job, discard.at(), went)))));
  }

  private void othersWaitForTheFirst() {
    all(JobsDecided.class)
        .filter(one -> one.decision() == Decision.REDRIVE && one.first() > 0)
        .forEach(
            redrive -> {
              List<Long> first =
                  redrive.jobs().subList(0, Math.min(redrive.first(), redrive.jobs().size()));
              redrive.jobs().stream()
                  .skip(redrive.first())
                  .forEach(other -> waitsFor(first, other, redrive));
            });
  }

  private void waitsFor(List<Long> first, long other, JobsDecided redrive) {
    Optional<Duration> went =
        went(other, redrive.place()).filter(it -> isBefore(redrive.asked(), it)).findFirst();
    if (went.isEmpty() || isDecidedElse(other, redrive, went.get())) {
      return;
    }
    first.stream()
        .filter(
            one ->
                went(one, redrive.place())
                    .noneMatch(it -> isBefore(redrive.asked(), it) && isBefore(it, went.get())))
        .filter(one -> !isDecidedElse(one, redrive, went.get()))
        .findFirst()
        .ifPresent(one -> violations.add(new Violation.JobBeforeTheFirst(other, one, went.get())));
  }

  private boolean isDecidedElse(long job, JobsDecided redrive, Duration went) {
    return decisions.getOrDefault(job, List.of()).stream()
        .filter(one -> !one.equals(redrive) && one.decision() != Decision.EDIT)
        .anyMatch(one -> isBefore(one.asked(), went) && !isBefore(end(one), redrive.asked()));
  }

  /** Each by its first way to the broker. */
  private void keysKeepTheirOrder() {
    Map<String, List<Long>> keys = new LinkedHashMap<>();
    enqueued.stream()
        .filter(JobsEnqueued::isOrdered)
        .forEach(
            one ->
                keys.computeIfAbsent(one.destination() + " " + one.key(), key -> new ArrayList<>())
                    .addAll(one.jobs()));
    keys.forEach(
        (key, jobs) -> {
          long last = 0;
          int place = -1;
          for (long job : jobs) {
            int sent = firstSend.getOrDefault(job, Integer.MAX_VALUE);
            if (sent < place) {
              violations.add(new Violation.JobOutOfOrder(last, key, job));
            } else if (sent != Integer.MAX_VALUE) {
              place = sent;
              last = job;
            }
          }
        });
  }

  /** Of those that keep their rows. */
  private void keysKeepTheOrderOfCapture() {
    Map<String, JobRun> byMessage = new HashMap<>();
    state.jobs().runs().forEach(run -> byMessage.put(run.consumer() + " " + run.messageId(), run));
    Map<String, JobRun> last = new HashMap<>();
    for (Stored message : state.captures().messages()) {
      JobRun run = byMessage.get(message.consumer() + " " + message.messageId());
      if (run == null || message.key().isEmpty()) {
        continue;
      }
      JobRun before = last.get(message.key());
      if (before != null && isBefore(run.at(), before.at())) {
        violations.add(new Violation.JobOutOfOrder(before.job(), message.key(), run.job()));
      } else {
        last.put(message.key(), run);
      }
    }
  }

  /** Of a dead letter under its new id, of a parked message under its only one. */
  private void editsHaveAnEffect() {
    Set<String> first = new HashSet<>();
    enqueued.forEach(one -> first.addAll(one.ids()));
    state
        .jobs()
        .runs()
        .forEach(
            run -> {
              boolean isEdited = run.text().endsWith(Decision.EDITED);
              boolean wasToBe =
                  decided(run.job(), Decision.EDIT)
                      .filter(edit -> edit.isCertain() && isBefore(edit.at(), run.at()))
                      .anyMatch(
                          edit -> edit.place() == Place.INBOX || !first.contains(run.messageId()));
              boolean mayBe = decided(run.job(), Decision.EDIT).findAny().isPresent();
              if (isEdited ? !mayBe : wasToBe && decided(run.job(), Decision.RESEND).count() == 0) {
                violations.add(new Violation.JobAltered(run.job(), run.text()));
              }
            });
  }

  private void pausedDestinationsSendNothing() {
    List<DestinationSwitched> switches = all(DestinationSwitched.class).toList();
    switches.stream()
        .filter(DestinationSwitched::isPaused)
        .forEach(
            pause -> {
              Duration until =
                  switches.stream()
                      .filter(it -> !it.isPaused())
                      .filter(it -> it.destination().equals(pause.destination()))
                      .map(DestinationSwitched::asked)
                      .filter(asked -> isBefore(pause.at(), asked))
                      .findFirst()
                      .orElse(FOR_EVER);
              enqueued.stream()
                  .filter(one -> one.destination().equals(pause.destination()))
                  .filter(one -> isBefore(pause.at(), one.asked()) && isBefore(one.asked(), until))
                  .flatMap(one -> one.jobs().stream())
                  .forEach(job -> isNotSentUntil(until, job, pause.destination()));
            });
  }

  private void isNotSentUntil(Duration until, long job, String destination) {
    went(job, Place.OUTBOX)
        .filter(sent -> isBefore(sent, until))
        .findFirst()
        .ifPresent(sent -> violations.add(new Violation.JobDuringPause(job, destination, sent)));
  }
}
