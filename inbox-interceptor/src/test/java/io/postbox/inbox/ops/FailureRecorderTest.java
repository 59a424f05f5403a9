package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.RecordedError;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class FailureRecorderTest {
  private static final Duration NOT_AT_ALL = Duration.ZERO;
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final List<String> written = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private boolean databaseFails;

  @Test
  void failuresAreWrittenInTheirOrderByOneTask() {
    FailureRecorder recorder = recorder(tasks::add, 10, NOT_AT_ALL);

    recorder.record(failure("id-1"));
    recorder.record(failure("id-2"));

    assertThat(written).isEmpty();
    assertThat(tasks).hasSize(1);
    tasks.get(0).run();
    assertThat(written).containsExactly("id-1", "id-2");
    recorder.record(failure("id-3"));
    assertThat(tasks).hasSize(2);
  }

  @Test
  void oneThatCannotBeWrittenIsLostAndSaidAndTheNextIsWritten() {
    FailureRecorder recorder = recorder(tasks::add, 10, NOT_AT_ALL);
    recorder.record(failure("id-1"));
    databaseFails = true;
    try (LogLines lines = new LogLines()) {
      tasks.get(0).run();

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0011 1 failed attempts could not be recorded")
          .contains("no space left");
    }
    databaseFails = false;
    recorder.record(failure("id-2"));
    tasks.get(1).run();

    assertThat(written).containsExactly("id-2");
  }

  @Test
  void aFailureBeyondTheLimitIsLost() {
    FailureRecorder recorder = recorder(tasks::add, 2, NOT_AT_ALL);
    for (int i = 1; i <= 3; i++) {
      recorder.record(failure("id-" + i));
    }

    tasks.get(0).run();

    assertThat(written).containsExactly("id-1", "id-2");
  }

  @Test
  void anExecutorThatRefusesLosesThemAndTheNextOneTriesAgain() {
    boolean[] refuses = {true};
    FailureRecorder recorder =
        recorder(
            task -> {
              if (refuses[0]) {
                throw new RejectedExecutionException("the server stops");
              }
              task.run();
            },
            10,
            FOR_EVER);
    recorder.record(failure("id-1"));
    recorder.await("shipping", "id-1");
    refuses[0] = false;

    recorder.record(failure("id-2"));

    assertThat(written).containsExactly("id-2");
  }

  @Test
  void alsoWhereNoThreadIsLeft() {
    boolean[] exhausted = {true};
    FailureRecorder recorder =
        recorder(
            task -> {
              if (exhausted[0]) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              task.run();
            },
            10,
            FOR_EVER);
    recorder.record(failure("id-1"));
    exhausted[0] = false;

    recorder.record(failure("id-2"));

    assertThat(written).containsExactly("id-2");
  }

  /** Such as that the log, too, lacks memory. */
  @Test
  void aTaskThatBreaksDownLeavesNothingWaitingForIt() {
    FailureRecorder recorder = recorder(tasks::add, 10, FOR_EVER);
    recorder.record(failure("id-1"));
    recorder.record(failure("id-2"));
    databaseFails = true;
    try (LogLines lines = new LogLines()) {
      lines.broken = new OutOfMemoryError("while telling");
      assertThatThrownBy(tasks.get(0)::run).isSameAs(lines.broken);
    }
    databaseFails = false;

    recorder.record(failure("id-3"));

    assertThat(tasks).hasSize(2);
    tasks.get(1).run();
    assertThat(written).containsExactly("id-2", "id-3");
    recorder.await("shipping", "id-1");
  }

  @Test
  void aDeliveryWaitsForTheRecordAndTheEndOfItsMessageOnly() throws InterruptedException {
    FailureRecorder recorder = recorder(tasks::add, 10, FOR_EVER);
    recorder.begins("shipping", "id-1");
    recorder.await("shipping", "id-2");
    recorder.await("orders", "id-1");
    CountDownLatch waited = new CountDownLatch(1);
    Thread delivery =
        new Thread(
            () -> {
              recorder.await("shipping", "id-1");
              assertThat(written).containsExactly("id-1");
              waited.countDown();
            });
    delivery.start();
    awaitWaiting(delivery);
    recorder.record(failure("id-1"));
    recorder.ends("shipping", "id-1");
    awaitWaiting(delivery);

    tasks.get(0).run();

    waited.await();
  }

  @Test
  void aDeliveryDoesNotWaitForEver() {
    FailureRecorder recorder = recorder(tasks::add, 10, NOT_AT_ALL);
    recorder.record(failure("id-1"));

    recorder.await("shipping", "id-1");

    assertThat(written).isEmpty();
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private FailureRecorder recorder(Executor executor, int capacity, Duration patience) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:");
    return new FailureRecorder(
        LocalTransactions.retryingConflicts(dataSource),
        (connection, failure) -> {
          if (databaseFails) {
            throw new SQLException("no space left");
          }
          written.add(failure.messageId());
        },
        executor,
        capacity,
        patience);
  }

  private static Failure failure(String id) {
    return new Failure(
        "shipping", id, 1, Kind.FAILED, null, RecordedError.of("no stock"), 0, false);
  }
}
