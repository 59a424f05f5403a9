package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers that wait for the end of an action that runs on other threads. */
class UntilDoneTest {
  private static final String WHO = DeadLetterFixture.WHO;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SettableClock clock = new SettableClock();
  private DeadLetterFixture fixture;

  @BeforeEach
  void fill() throws SQLException {
    fixture = new DeadLetterFixture(TestDatabase.H2);
    fixture.dead(40, "d");
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private BackgroundActions node(InstantSource time) {
    return new BackgroundActions(
        new OutboxTables(fixture.database.dialect(), fixture.config, fixture.counting.dataSource()),
        Operator.KEY,
        false,
        lanes -> {},
        time);
  }

  private OperatorAction discard(BackgroundActions node) {
    return node.discard(fixture.plan().token().id(), WHO, "why not");
  }

  private static OperatorAction untilDone(BackgroundActions node, OperatorAction started) {
    return node.control().untilDone(started);
  }

  private static ActionUnfinishedException unfinished(
      BackgroundActions node, OperatorAction started) {
    try {
      throw new AssertionError(untilDone(node, started));
    } catch (ActionUnfinishedException unfinished) {
      assertThat(unfinished)
          .hasMessageStartingWith("The discard %s (dead letters as of ".formatted(started.id()));
      assertThat(unfinished.action().id()).isEqualTo(started.id());
      return unfinished;
    }
  }

  /** The clock stands still: nobody waits for a tick of the node. */
  @Test
  void anActionBeginsAtOnceOnTheNodeThatStartsIt() {
    BackgroundActions node = node(clock);
    node.runner().runIfDue(threads);
    assertThat(untilDone(node, discard(node)))
        .returns(State.DONE, OperatorAction::state)
        .returns(40L, OperatorAction::done);
    fixture.dead(2, "d");
    assertThat(untilDone(node, discard(node)).done()).as("and again").isEqualTo(2);
  }

  @Test
  void theCallersThreadTakesNoStep() {
    BackgroundActions node = node(clock);
    List<Runnable> given = new ArrayList<>();
    node.runner().runIfDue(given::add);
    given.remove(0).run();
    OperatorAction started = discard(node);
    assertThat(given).hasSize(1);
    assertThat(node.control().get(started.id()).orElseThrow().done()).isZero();
    given.get(0).run();
    assertThat(untilDone(node, started).done()).isEqualTo(40);
  }

  @Test
  void aNodeThatRunsNoActionsWaitsForAnotherOne() throws Exception {
    BackgroundActions idle = node(clock);
    OperatorAction started = discard(idle);
    Future<OperatorAction> waiting = threads.submit(() -> untilDone(idle, started));
    node(clock).runner().runIfDue(threads);
    assertThat(waiting.get().done()).isEqualTo(40);
  }

  @Test
  void nobodyWaitsLongerThanAMinuteAndTheActionGoesOn() {
    InstantSource quick =
        () -> {
          clock.advance(Duration.ofSeconds(20));
          return clock.instant();
        };
    BackgroundActions idle = node(quick);
    OperatorAction started = discard(idle);
    Instant before = clock.instant();
    assertThat(unfinished(idle, started))
        .hasMessageContaining("is not done: it still ran after 60 seconds. 0 of 40 messages")
        .hasMessageEndingWith(
            "It goes on in the background: follow, pause or cancel it by its id.");
    assertThat(clock.instant()).isEqualTo(before.plusSeconds(80));

    node(clock).runner().runIfDue(Runnable::run);
    assertThat(untilDone(idle, started).done()).isEqualTo(40);
  }

  @Test
  void aPauseOrACancellationEndsTheWait() {
    BackgroundActions node = node(clock);
    OperatorAction started = discard(node);
    node.control().pause(started.id(), "bob", "lunch");
    assertThat(unfinished(node, started))
        .hasMessageContaining("is not done: it is paused.")
        .hasMessageEndingWith("Resume it by its id once its cause is mended, or cancel it.");
    node.control().cancel(started.id(), "bob", "enough");
    assertThat(unfinished(node, started))
        .hasMessageContaining("it is cancelled.")
        .hasMessageEndingWith("Make another plan for the others.");
  }

  @Test
  void anActionThatFailsTellsItsCallerWhy() {
    BackgroundActions node = node(clock);
    fixture.rows.execute(
        "ALTER TABLE shop.pb_outbox_archive ADD CONSTRAINT refused CHECK (MOD(seq, 16) <> 5)");
    OperatorAction started = discard(node);
    for (int tries = 0; tries < 5; tries++) {
      node.runner().runIfDue(Runnable::run);
      clock.advance(Duration.ofSeconds(10));
    }
    ActionUnfinishedException failed = unfinished(node, started);
    assertThat(failed).hasMessageContaining("it is failed.").hasMessageContaining("Its note: ");
    assertThat(failed.getMessage()).containsIgnoringCase("refused");
    assertThat(failed.action().done()).isBetween(1L, 39L);
  }

  @Test
  void anInterruptEndsTheWaitAndNotTheAction() {
    BackgroundActions idle = node(clock);
    OperatorAction started = discard(idle);
    Thread.currentThread().interrupt();
    assertThat(unfinished(idle, started))
        .hasMessageContaining("the thread that waited was interrupted.")
        .hasMessageContaining("It goes on in the background");
    assertThat(Thread.interrupted()).isTrue();
    node(clock).runner().runIfDue(Runnable::run);
    assertThat(untilDone(idle, started).done()).isEqualTo(40);
  }

  @Test
  void aDatabaseThatFailsMeanwhileLeavesTheActionStarted() {
    BackgroundActions idle = node(clock);
    OperatorAction started = discard(idle);
    fixture.counting.loseCommits(1);
    assertThatThrownBy(() -> untilDone(idle, started))
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith(
            "The discard %s was started and goes on in the background, but it cannot be read: "
                .formatted(started.id()));
  }

  @Test
  void withoutAThreadTheActionWaitsForOne() {
    BackgroundActions node = node(clock);
    node.runner()
        .runIfDue(
            refused -> {
              throw new RejectedExecutionException("full");
            });
    OperatorAction started =
        node.redrive(fixture.plan().token().id(), RedrivePace.FASTEST, WHO, "x");
    node.runner().runIfDue(Runnable::run);
    clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
    assertThat(untilDone(node, started).done()).isEqualTo(40);
  }
}
