package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.time.UuidV7;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.Heartbeat;
import io.postbox.inbox.ops.AttemptRecorder.Status;
import io.postbox.inbox.receiver.RecordedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One process and its table; several are in the simulation of crashes. */
class AttemptRecorderTest {
  private static final Unended DEAD = new Unended("dead", false, Duration.ofHours(1));
  private static final Unended DEAD_ALONE = new Unended("dead", true, Duration.ofHours(1));

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Map<Long, String> rows = new LinkedHashMap<>();
  private final Map<String, List<Unended>> left = new LinkedHashMap<>();
  private final List<String> cleared = new ArrayList<>();
  private final List<Long> renewed = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private final List<Heartbeat> others = new ArrayList<>();
  private final List<String> present = new ArrayList<>();
  private int transactions;
  private int beats;
  private int forgetsReplaced;
  private boolean databaseFails;
  private boolean breaksAfterTheCommit;
  private boolean commitsLate;
  private @Nullable Throwable undeclared;
  private final Map<Long, String> late = new LinkedHashMap<>();
  private Duration now = Duration.ZERO;
  private final AttemptRecorder recorder = recorder(tasks::add);

  @Test
  void aTryIsOnRecordFromBeforeItBeginsUntilItHasEnded() {
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    assertThat(rows).containsValue("id-1");
    assertThat(transactions).isEqualTo(1);

    recorder.ends(begun, true);
    assertThat(rows).as("its thread does not wait for the database").isNotEmpty();
    runTasks();

    assertThat(rows).isEmpty();
    assertThat(cleared).isEmpty();
    assertThat(transactions).isEqualTo(2);
  }

  /** A connection that breaks at the commit hides whether the database has committed. */
  @Test
  void aRowWhoseCommitFailedIsDeletedWithTheNextRenewal() {
    breaksAfterTheCommit = true;
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    assertThat(begun.row()).isNull();
    assertThat(rows).as("committed all the same").isNotEmpty();
    breaksAfterTheCommit = false;
    recorder.ends(begun, true);
    recorder.renew();

    assertThat(rows).isEmpty();
    assertThat(recorder.status().recorded()).isZero();
  }

  /** A server may end what surrounds the commit with an exception that nobody declares. */
  @Test
  void aRowIsDeletedAndItsTurnGivenBackWhateverIsThrownAfterTheCommit() {
    left.put("id-1", List.of(DEAD_ALONE));
    undeclared = new Exception("Resource(s) failed to complete");
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    undeclared = null;

    assertThat(begun.row()).isNull();
    assertThat(recorder.status().isAlone()).isFalse();
    recorder.renew();
    assertThat(rows).isEmpty();
  }

  @Test
  void anErrorIsPassedOnAndTheTurnIsGivenBack() {
    left.put("id-1", List.of(DEAD_ALONE));
    undeclared = new StackOverflowError();

    assertThatThrownBy(() -> recorder.begin("shipping", "id-1", true)).isSameAs(undeclared);
    undeclared = null;
    assertThat(recorder.status().isAlone()).isFalse();
    recorder.renew();
    assertThat(rows).isEmpty();
  }

  /** For a while the network may deliver a commit that its sender has long abandoned. */
  @Test
  void aRowThatIsCommittedLateIsDeletedToo() {
    commitsLate = true;
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    commitsLate = false;
    recorder.ends(begun, true);
    recorder.renew();
    now = AttemptRecorder.LATEST_COMMIT;
    recorder.renew();
    rows.putAll(late);
    recorder.renew();

    assertThat(rows).isEmpty();
    int before = transactions - beats;
    now = AttemptRecorder.LATEST_COMMIT.plusNanos(1);
    recorder.renew();
    assertThat(transactions - beats).as("nothing is in doubt any more").isEqualTo(before);
  }

  @Test
  void itIsRenewedForAsLongAsItLasts() {
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    recorder.renew();
    recorder.renew();
    assertThat(renewed).hasSize(2).containsOnly(begun.row());

    recorder.ends(begun, true);
    runTasks();
    recorder.renew();

    assertThat(renewed).hasSize(2);
  }

  @Test
  void aNodeWithoutRedeliveriesAsksTheDatabaseOnlyToLiveAndToForget() {
    recorder.renew();
    for (int i = 0; i < 100; i++) {
      recorder.renew();
    }
    assertThat(beats).isEqualTo(101);
    assertThat(transactions - beats).isEqualTo(1);
    now = Duration.ofHours(1);
    recorder.renew();
    assertThat(transactions - beats).isEqualTo(2);
  }

  @Test
  void theFirstDeliveryPutsTheProcessOnRecordAndNoOtherAsksTheDatabase() {
    for (int i = 0; i < 100; i++) {
      assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
    }

    assertThat(present).containsExactly("this");
    assertThat(transactions).isEqualTo(1);
  }

  private Instant wall() {
    return START.plus(now);
  }

  private String idMadeBefore(Duration ago) {
    return new UuidV7(() -> wall().minus(ago)).next().toString();
  }

  /** It cannot have been in the hands of a process that was dead. */
  @Test
  void aMessageWhoseIdWasMadeAfterTheLastDeathIsNoRedelivery() {
    now = Duration.ofHours(1);
    Duration last = Duration.ofMinutes(5);
    others.add(dead("first", last.plusMinutes(1)));
    others.add(dead("second", last));

    assertThat(recorder.mayBeRedelivery("an id without a time")).isTrue();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(Duration.ofDays(1)))).isTrue();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(last.plusMillis(1)))).isTrue();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(last.minusMinutes(1))))
        .as("clocks differ")
        .isTrue();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(last.minusMinutes(1).minusMillis(1))))
        .isFalse();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(Duration.ZERO))).isFalse();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(Duration.ofMinutes(-1)))).isFalse();
    assertThat(recorder.mayBeRedelivery(idMadeBefore(Duration.ofMinutes(-1).minusMillis(1))))
        .as("dated ahead")
        .isTrue();
  }

  /** Somebody may have killed it, and its machine may have failed. */
  @Test
  void afterOneUncleanShutdownADeliveryCostsNoMoreThanBefore() {
    others.add(dead("dead", UncleanShutdowns.OVERDUE));
    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 100; i++) {
        assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
      }
      beatFor(UncleanShutdowns.WARY);

      assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
      assertThat(recorder.status().isWary()).isFalse();
      assertThat(transactions - beats).as("but for the first look and the cleaning").isEqualTo(1);
      assertThat(lines.all()).isEmpty();
    }
  }

  @Test
  void afterTwoSoonAfterEachOtherAnyDeliveryMayBeARedeliveryForAWhile() {
    others.add(dead("first", UncleanShutdowns.OVERDUE.plusMinutes(1)));
    others.add(dead("second", UncleanShutdowns.OVERDUE));
    try (LogLines lines = new LogLines()) {
      assertThat(recorder.mayBeRedelivery("id-1")).isTrue();
      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0150 ")
          .contains("first", "second", "10m");
      beatFor(UncleanShutdowns.WARY.minus(UncleanShutdowns.BEAT));
      assertThat(recorder.mayBeRedelivery("id-1")).isTrue();
      assertThat(lines.all()).as("it is logged once").hasSize(1);
      beatFor(UncleanShutdowns.BEAT);

      assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
      assertThat(lines.all()).hasSize(2).last().asString().startsWith("IBX0242 ");
    }
  }

  @Test
  void theProcessesThatItHasReplacedAreForgottenOnceItHasLivedForAWhile() {
    beatFor(UncleanShutdowns.SOON.minus(UncleanShutdowns.BEAT));
    assertThat(forgetsReplaced).isZero();
    beatFor(UncleanShutdowns.BEAT.multipliedBy(2));

    assertThat(forgetsReplaced).isEqualTo(1);
  }

  private static Heartbeat dead(String node, Duration silentFor) {
    return new Heartbeat(node, silentFor, Duration.ofDays(1));
  }

  @Test
  void anUncleanShutdownOfAnotherNodeIsNoticedWithTheNextBeat() {
    others.add(dead("dead", Duration.ofMinutes(1)));
    others.add(dead("alive", Duration.ofSeconds(4)));
    assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
    others.set(1, dead("alive", UncleanShutdowns.OVERDUE));

    beatFor(UncleanShutdowns.BEAT);

    assertThat(recorder.mayBeRedelivery("id-1")).isTrue();
  }

  @Test
  void aProcessThatCannotAskTakesAnyDeliveryForARedeliveryAndAsksOnceABeat() {
    databaseFails = true;
    for (int i = 0; i < 100; i++) {
      assertThat(recorder.mayBeRedelivery("id-1")).isTrue();
    }
    assertThat(transactions).isEqualTo(1);
    databaseFails = false;
    now = now.plus(UncleanShutdowns.BEAT);

    assertThat(recorder.mayBeRedelivery("id-1")).isFalse();
  }

  @Test
  void aBeatThatFailsIsLoggedOnceAMinute() {
    databaseFails = true;
    try (LogLines lines = new LogLines()) {
      beatFor(Duration.ofMinutes(2));

      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0151 "))
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("no space left"));
    }
  }

  @Test
  void aPossibleRedeliveryIsOnRecordAndWaitsForNobody() {
    left.put("id-1", List.of(DEAD));
    RecordedAttempt suspect = recorder.begin("shipping", "id-1", true);

    RecordedAttempt beside = recorder.begin("shipping", "id-2", false);

    assertThat(suspect.isAlone()).isTrue();
    assertThat(beside.mustWait()).isFalse();
    assertThat(beside.isAlone()).as("so that a crash is not proof").isFalse();
    assertThat(rows).containsValue("id-2");
    recorder.ends(beside, true);
    assertThat(recorder.begin("shipping", "id-3", true).mustWait())
        .as("the suspect is still at work")
        .isTrue();
    recorder.ends(suspect, true);
    assertThat(recorder.begin("shipping", "id-1", true).isAlone()).isTrue();
  }

  @Test
  void aSuspectWaitsForNoneThatMayBeARedelivery() {
    left.put("id-1", List.of(DEAD));
    recorder.begin("shipping", "id-2", false);

    assertThat(recorder.begin("shipping", "id-1", false).isAlone()).isTrue();
  }

  /** A server that is back within seconds meets what it left before that counts as a crash. */
  @Test
  void anotherProcessesAttemptTakesItsTurnAlsoWhenTooYoungForACrash() {
    left.put("id-1", List.of(DEAD));
    left.put("id-2", List.of(new Unended("other", false, Duration.ofSeconds(6))));
    left.put("id-3", List.of(new Unended("this", false, Duration.ZERO)));
    recorder.begin("shipping", "id-1", true);

    assertThat(recorder.begin("shipping", "id-2", false).mustWait()).isTrue();
    assertThat(recorder.begin("shipping", "id-3", false).mustWait()).isFalse();
  }

  /** As when the database's clock was set back after the crash. */
  @Test
  void aTryThatWasRenewedInTheFutureIsThatOfADeadProcessToo() {
    left.put("id-1", List.of(new Unended("dead", true, Duration.ofHours(-1))));

    assertThat(recorder.begin("shipping", "id-1", true).crashes()).isEqualTo(new Crashes(1, 1));
  }

  @Test
  void crashesAreThoseOfProcessesThatNobodyHearsOf() {
    left.put(
        "id-1",
        List.of(
            DEAD,
            DEAD_ALONE,
            new Unended("alive", true, AttemptRecorder.LEASE.minusMillis(1)),
            new Unended("this", true, Duration.ofDays(1))));

    assertThat(recorder.begin("shipping", "id-1", true).crashes()).isEqualTo(new Crashes(2, 1));
  }

  @Test
  void aMessageIsABystanderUntilItWasAlone() {
    assertThat(new Crashes(9, 0).reach(3)).isFalse();
    assertThat(new Crashes(9, 1).reach(3)).isFalse();
    assertThat(new Crashes(3, 2).reach(3)).isTrue();
    assertThat(new Crashes(2, 2).reach(3)).isFalse();
    assertThat(new Crashes(1, 0).reach(1)).isFalse();
    assertThat(new Crashes(1, 1).reach(1)).isTrue();
  }

  @Test
  void aSuspectIsAloneAmongRedeliveriesAndTheyWaitForIt() {
    left.put("id-1", List.of(DEAD));
    RecordedAttempt suspect = recorder.begin("shipping", "id-1", true);
    assertThat(suspect.isAlone()).isTrue();

    RecordedAttempt other = recorder.begin("shipping", "id-2", true);
    assertThat(other.mustWait()).isTrue();
    assertThat(other.row()).isNull();
    recorder.ends(other, false);
    assertThat(recorder.begin("shipping", "id-2", true).mustWait()).isTrue();
    recorder.ends(suspect, true);

    assertThat(recorder.begin("shipping", "id-2", true).mustWait()).isFalse();
  }

  @Test
  void itTellsWhatItRecordsNow() {
    assertThat(recorder.status()).isEqualTo(new Status(0, false, false));
    others.add(dead("first", UncleanShutdowns.OVERDUE));
    others.add(dead("second", UncleanShutdowns.OVERDUE));
    recorder.renew();
    assertThat(recorder.status()).isEqualTo(new Status(0, false, true));
    left.put("id-1", List.of(DEAD));
    RecordedAttempt suspect = recorder.begin("shipping", "id-1", true);
    assertThat(recorder.status()).isEqualTo(new Status(1, true, true));

    recorder.ends(suspect, true);
    runTasks();
    beatFor(UncleanShutdowns.WARY);
    assertThat(recorder.status()).isEqualTo(new Status(0, false, false));
  }

  @Test
  void aSuspectWaitsUntilNoOtherIsAtWorkAndNoOtherBeginsMeanwhile() {
    left.put("id-1", List.of(DEAD));
    RecordedAttempt first = recorder.begin("shipping", "id-2", true);
    assertThat(recorder.begin("shipping", "id-1", true).mustWait()).isTrue();
    assertThat(recorder.begin("shipping", "id-3", true).mustWait()).isTrue();
    recorder.ends(first, true);

    assertThat(recorder.begin("shipping", "id-1", true).isAlone()).isTrue();
  }

  @Test
  void aSuspectThatIsNotRedeliveredHoldsNobodyUp() {
    left.put("id-1", List.of(DEAD));
    recorder.ends(recorder.begin("shipping", "id-2", true), true);
    RecordedAttempt first = recorder.begin("shipping", "id-2", true);
    recorder.begin("shipping", "id-1", true); // and goes to another node
    recorder.ends(first, true);
    now = Duration.ofSeconds(30);

    assertThat(recorder.begin("shipping", "id-3", true).mustWait()).isFalse();
  }

  @Test
  void nobodyWaitsForEverForASuspectThatHangs() {
    left.put("id-1", List.of(DEAD));
    left.put("id-2", List.of(DEAD));
    RecordedAttempt hangs = recorder.begin("shipping", "id-1", true);
    now = AttemptRecorder.LONGEST_TURN.minusMillis(1);
    assertThat(recorder.begin("shipping", "id-2", true).mustWait()).isTrue();
    now = AttemptRecorder.LONGEST_TURN;

    RecordedAttempt other = recorder.begin("shipping", "id-2", true);

    assertThat(other.mustWait()).isFalse();
    assertThat(other.isAlone()).as("so that a crash is not proof").isFalse();
    assertThat(hangs.isAlone()).isTrue();
  }

  @Test
  void anOrderlyEndOfTheHandlerClearsASuspectAndNothingLess() {
    left.put("id-1", List.of(DEAD));
    recorder.ends(recorder.begin("shipping", "id-1", true), false);
    runTasks();
    assertThat(cleared).isEmpty();

    recorder.ends(recorder.begin("shipping", "id-1", true), true);
    runTasks();

    assertThat(cleared).containsExactly("id-1");
  }

  /**
   * A message that was in hand when another one killed the process, and the server is back soon.
   */
  @Test
  void anOrderlyEndAlsoClearsWhatIsTooYoungForACrash() {
    left.put("id-1", List.of(new Unended("other", false, Duration.ofSeconds(6))));
    left.put("id-2", List.of(new Unended("this", false, Duration.ofSeconds(6))));
    recorder.ends(recorder.begin("shipping", "id-1", true), true);
    recorder.ends(recorder.begin("shipping", "id-2", true), true);
    runTasks();

    assertThat(cleared).as("its own row it deletes by itself").containsExactly("id-1");
  }

  @Test
  void aTryThatCannotBeRecordedIsMadeAllTheSame() {
    databaseFails = true;
    try (LogLines lines = new LogLines()) {
      RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
      recorder.begin("shipping", "id-2", true);

      assertThat(begun).isEqualTo(RecordedAttempt.unrecorded("shipping", "id-1"));
      assertThat(lines.all())
          .as("one line a minute")
          .singleElement()
          .asString()
          .startsWith("IBX0120 The beginning or end of 1 redeliveries")
          .contains("no space left");
      recorder.ends(begun, true);
    }
    databaseFails = false;
    left.put("id-1", List.of(DEAD));
    assertThat(recorder.begin("shipping", "id-1", true).isAlone()).as("nobody is at work").isTrue();
  }

  @Test
  void oneThatCannotBeTakenOffComesOffWithTheNextBeat() {
    RecordedAttempt begun = recorder.begin("shipping", "id-1", true);
    databaseFails = true;
    recorder.ends(begun, true);
    runTasks();
    assertThat(rows).isNotEmpty();
    databaseFails = false;

    recorder.renew();

    assertThat(rows).isEmpty();
  }

  @Test
  void alsoWhereNoThreadIsLeft() {
    AttemptRecorder without =
        recorder(
            task -> {
              throw new RejectedExecutionException("no thread");
            });
    without.ends(without.begin("shipping", "id-1", true), true);
    assertThat(rows).isNotEmpty();

    without.renew();

    assertThat(rows).isEmpty();
  }

  @Test
  void anOrderlyStopLeavesNothingBehind() {
    recorder.begin("shipping", "id-1", true);
    recorder.ends(recorder.begin("shipping", "id-2", true), true);

    recorder.renew();
    assertThat(present).containsExactly("this");
    recorder.stop();
    recorder.renew(); // a beat that was late

    assertThat(rows).isEmpty();
    assertThat(present).isEmpty();
  }

  private void beatFor(Duration time) {
    for (Duration end = now.plus(time); now.compareTo(end) < 0; ) {
      now = now.plus(UncleanShutdowns.BEAT);
      recorder.renew();
    }
  }

  private void runTasks() {
    List<Runnable> all = List.copyOf(tasks);
    tasks.clear();
    all.forEach(Runnable::run);
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void throwIt(Throwable undeclared) throws X {
    throw (X) undeclared;
  }

  private AttemptRecorder recorder(Executor executor) {
    return new AttemptRecorder(
        new Table(), "this", Duration.ofDays(7), executor, () -> now.toNanos(), this::wall);
  }

  private final class Table implements AttemptRows, AttemptRows.Transactions {
    @Override
    public <T> T commit(AttemptRows.Work<T> work) throws SQLException {
      transactions++;
      T result = work.on(this);
      if (databaseFails) {
        throw new SQLException("no space left");
      }
      if (breaksAfterTheCommit || commitsLate) {
        throw new SQLException("the connection is broken");
      }
      if (undeclared != null) {
        AttemptRecorderTest.<SQLException>throwIt(undeclared);
      }
      return result;
    }

    @Override
    public List<Unended> left(String consumer, String messageId) {
      return left.getOrDefault(messageId, List.of());
    }

    @Override
    public long insert(String consumer, String messageId, String node, boolean alone) {
      long row = rows.size() + 1L + transactions * 100L;
      if (commitsLate) {
        late.put(row, messageId);
      } else if (!databaseFails) {
        rows.put(row, messageId);
      }
      return row;
    }

    @Override
    public void renew(Collection<Long> all) {
      renewed.addAll(all);
    }

    @Override
    public void delete(Collection<Long> all) {
      if (!databaseFails) {
        rows.keySet().removeAll(all);
      }
    }

    @Override
    public void deleteAll(String consumer, String messageId) {
      cleared.add(messageId);
    }

    @Override
    public void live(String node) {
      beats++;
      if (!databaseFails && !present.contains(node)) {
        present.add(node);
      }
    }

    @Override
    public List<Heartbeat> others(String node) {
      return List.copyOf(others);
    }

    @Override
    public void leave(String node) {
      present.remove(node);
    }

    @Override
    public void forgetProcesses(Duration silentFor) {
      assertThat(silentFor).isEqualTo(Duration.ofDays(1));
    }

    @Override
    public void forgetReplaced(Duration silentFor) {
      assertThat(silentFor).isEqualTo(UncleanShutdowns.SOON);
      forgetsReplaced++;
    }

    @Override
    public void forget(Duration silentFor) {
      assertThat(silentFor).isEqualTo(Duration.ofDays(7));
    }
  }
}
