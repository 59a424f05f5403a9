package io.postbox.inbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class ApplicationContextTest {
  private final Set<String> stopped = new HashSet<>();
  private final List<String> ran = new ArrayList<>();
  private String thread = "server's";
  private int losses;
  private final ApplicationContext context =
      new ApplicationContext(this::captured, true, () -> losses++);

  /** Runs tasks in the context of the thread that asked, unless that has stopped. */
  private Executor captured() {
    String of = thread;
    return task -> {
      if (stopped.contains(of)) {
        throw new IllegalStateException("CWWKC1012E: the module of " + of + " is unavailable");
      }
      String before = thread;
      thread = of;
      task.run();
      thread = before;
    };
  }

  private void run() {
    thread = "own";
    context.execute(() -> ran.add(thread));
  }

  private void deliver() {
    thread = "listener's";
    context.enteredByComponent();
  }

  @Test
  void theContextOfTheStartServesUntilAComponentIsSeen() {
    run();
    deliver();
    run();
    assertThat(ran).containsExactly("server's", "listener's");
  }

  @Test
  void aComponentsContextIsLeftAloneWhereItSharesConnections() {
    thread = "server's";
    ApplicationContext ofStart = new ApplicationContext(this::captured, false, () -> losses++);
    thread = "listener's";
    ofStart.enteredByComponent();
    ofStart.execute(() -> ran.add(thread));
    assertThat(ran).containsExactly("server's");
  }

  @Test
  void aComponentsContextOutlivesThatOfTheStart() {
    deliver();
    stopped.add("server's");
    run();
    assertThat(ran).containsExactly("listener's");
    assertThat(losses).isZero();
  }

  @Test
  void withoutAnyContextTasksRunNonethelessUntilThereIsOne() {
    stopped.add("server's");
    run();
    run();
    assertThat(ran).containsExactly("own", "own");
    assertThat(losses).isOne();

    deliver();
    run();
    assertThat(ran).containsExactly("own", "own", "listener's");
  }

  @Test
  void aContextThatWasTakenForAComponentsIsReplacedWhenItHasEnded() {
    thread = "server's";
    context.enteredByComponent();
    stopped.add("server's");
    run();
    deliver();
    run();
    assertThat(ran).containsExactly("own", "listener's");
  }

  @Test
  void itIsCapturedOnceFromComponents() {
    deliver();
    thread = "another's";
    context.enteredByComponent();
    run();
    assertThat(ran).containsExactly("listener's");
  }

  @Test
  void aTaskThatThrowsIsNotRunAgain() {
    assertThatThrownBy(
            () ->
                context.execute(
                    () -> {
                      ran.add("once");
                      throw new IllegalStateException("the task's own");
                    }))
        .hasMessage("the task's own");
    assertThat(ran).containsExactly("once");
    assertThat(losses).isZero();
  }
}
