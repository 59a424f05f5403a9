package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.guard.Begun;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Crashes.Unended;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** One process and its table; several are in the simulation of crashes. */
class AttemptRecorderTest {
  private static final Unended DEAD = new Unended("dead", false, Duration.ofHours(1));
  private static final Unended DEAD_ALONE = new Unended("dead", true, Duration.ofHours(1));

  private final Map<Long, String> rows = new LinkedHashMap<>();
  private final Map<String, List<Unended>> left = new LinkedHashMap<>();
  private final List<String> cleared = new ArrayList<>();
  private final List<Long> renewed = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private int transactions;
  private boolean databaseFails;
  private Duration now = Duration.ZERO;
  private final AttemptRecorder recorder = recorder(tasks::add);

  @Test
  void aTryIsOnRecordFromBeforeItBeginsUntilItHasEnded() {
    Begun begun = recorder.begin("shipping", "id-1");
    assertThat(rows).containsValue("id-1");
    assertThat(transactions).isEqualTo(1);

    recorder.ends(begun, true);
    assertThat(rows).as("its thread does not wait for the database").isNotEmpty();
    runTasks();

    assertThat(rows).isEmpty();
    assertThat(cleared).isEmpty();
    assertThat(transactions).isEqualTo(2);
  }

  @Test
  void itIsRenewedForAsLongAsItLasts() {
    Begun begun = recorder.begin("shipping", "id-1");
    recorder.renew();
    recorder.renew();
    assertThat(renewed).hasSize(2).containsOnly(begun.row());

    recorder.ends(begun, true);
    runTasks();
    recorder.renew();

    assertThat(renewed).hasSize(2);
  }

  @Test
  void aNodeWithoutRedeliveriesAsksTheDatabaseOnlyToForget() {
    recorder.renew();
    int first = transactions;
    for (int i = 0; i < 100; i++) {
      recorder.renew();
    }
    assertThat(transactions).isEqualTo(first).isEqualTo(1);
    now = Duration.ofHours(1);
    recorder.renew();
    assertThat(transactions).isEqualTo(2);
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

    assertThat(recorder.begin("shipping", "id-1").sofar()).isEqualTo(new Crashes(2, 1));
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
    Begun suspect = recorder.begin("shipping", "id-1");
    assertThat(suspect.isAlone()).isTrue();

    Begun other = recorder.begin("shipping", "id-2");
    assertThat(other.mustWait()).isTrue();
    assertThat(other.row()).isNull();
    recorder.ends(other, false);
    assertThat(recorder.begin("shipping", "id-2").mustWait()).isTrue();
    recorder.ends(suspect, true);

    assertThat(recorder.begin("shipping", "id-2").mustWait()).isFalse();
  }

  @Test
  void aSuspectWaitsUntilNoOtherIsAtWorkAndNoOtherBeginsMeanwhile() {
    left.put("id-1", List.of(DEAD));
    Begun first = recorder.begin("shipping", "id-2");
    assertThat(recorder.begin("shipping", "id-1").mustWait()).isTrue();
    assertThat(recorder.begin("shipping", "id-3").mustWait()).isTrue();
    recorder.ends(first, true);

    assertThat(recorder.begin("shipping", "id-1").isAlone()).isTrue();
  }

  @Test
  void aSuspectThatDoesNotComeAgainHoldsNobodyUp() {
    left.put("id-1", List.of(DEAD));
    recorder.ends(recorder.begin("shipping", "id-2"), true);
    Begun first = recorder.begin("shipping", "id-2");
    recorder.begin("shipping", "id-1"); // and goes to another node
    recorder.ends(first, true);
    now = Duration.ofSeconds(30);

    assertThat(recorder.begin("shipping", "id-3").mustWait()).isFalse();
  }

  @Test
  void nobodyWaitsForEverForASuspectThatHangs() {
    left.put("id-1", List.of(DEAD));
    left.put("id-2", List.of(DEAD));
    Begun hangs = recorder.begin("shipping", "id-1");
    now = AttemptRecorder.LONGEST_TURN.minusMillis(1);
    assertThat(recorder.begin("shipping", "id-2").mustWait()).isTrue();
    now = AttemptRecorder.LONGEST_TURN;

    Begun other = recorder.begin("shipping", "id-2");

    assertThat(other.mustWait()).isFalse();
    assertThat(other.isAlone()).as("so that a crash is not proof").isFalse();
    assertThat(hangs.isAlone()).isTrue();
  }

  @Test
  void anOrderlyEndOfTheHandlerClearsASuspectAndNothingLess() {
    left.put("id-1", List.of(DEAD));
    recorder.ends(recorder.begin("shipping", "id-1"), false);
    runTasks();
    assertThat(cleared).isEmpty();

    recorder.ends(recorder.begin("shipping", "id-1"), true);
    runTasks();

    assertThat(cleared).containsExactly("id-1");
  }

  @Test
  void aTryThatCannotBeRecordedIsMadeAllTheSame() {
    databaseFails = true;
    try (LogLines lines = new LogLines()) {
      Begun begun = recorder.begin("shipping", "id-1");
      recorder.begin("shipping", "id-2");

      assertThat(begun).isEqualTo(Begun.unrecorded("shipping", "id-1"));
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
    assertThat(recorder.begin("shipping", "id-1").isAlone()).as("nobody is at work").isTrue();
  }

  @Test
  void oneThatCannotBeTakenOffComesOffWithTheNextBeat() {
    Begun begun = recorder.begin("shipping", "id-1");
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
    without.ends(without.begin("shipping", "id-1"), true);
    assertThat(rows).isNotEmpty();

    without.renew();

    assertThat(rows).isEmpty();
  }

  @Test
  void anOrderlyStopLeavesNothingBehind() {
    recorder.begin("shipping", "id-1");
    recorder.ends(recorder.begin("shipping", "id-2"), true);

    recorder.stop();

    assertThat(rows).isEmpty();
  }

  private void runTasks() {
    List<Runnable> all = List.copyOf(tasks);
    tasks.clear();
    all.forEach(Runnable::run);
  }

  private AttemptRecorder recorder(Executor executor) {
    return new AttemptRecorder(
        new Table(), "this", Duration.ofDays(7), executor, () -> now.toNanos());
  }

  private final class Table implements AttemptRows, AttemptRows.Transactions {
    @Override
    public <T> T commit(AttemptRows.Work<T> work) throws SQLException {
      transactions++;
      T result = work.on(this);
      if (databaseFails) {
        throw new SQLException("no space left");
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
      if (!databaseFails) {
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
    public void forget(Duration silentFor) {
      assertThat(silentFor).isEqualTo(Duration.ofDays(7));
    }
  }
}
