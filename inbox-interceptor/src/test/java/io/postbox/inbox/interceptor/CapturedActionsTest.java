package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.store.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do with parked messages that were captured. */
class CapturedActionsTest {
  private final SettableClock clock = new SettableClock();
  private final List<String> handled = new ArrayList<>();

  private OperatorAction look(BackgroundActions node, OperatorAction action) {
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(10));
      node.runner().runIfDue(Runnable::run);
    }
    return node.control().get(action.id()).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveWaitsUntilTheFirstMessagesAreHandled(TestDatabase database) throws Exception {
    CapturedFixture inbox = new CapturedFixture(database, Map.of());
    inbox.handler =
        message -> {
          throw new RejectedMessageException("broken");
        };
    for (int i = 0; i < 4; i++) {
      inbox.capture(TestDelivery.of("m" + i), null);
      for (int attempt = 0; attempt < 3; attempt++) {
        inbox.work();
      }
    }
    assertThat(inbox.column("SELECT message_id FROM inbox_parked")).hasSize(4);

    BackgroundActions node = inbox.actions(clock);
    OperatorAction started =
        node.redrive(
            inbox.plan(KeptFilter.all()),
            ReplyOnRedrive.KEEP,
            RedrivePace.FASTEST.first(2),
            "ada",
            "mended");
    OperatorAction waits = look(node, started); // no worker has been here
    assertThat(waits.state()).isEqualTo(OperatorAction.State.RUNNING);
    assertThat(waits.done()).isEqualTo(2);

    inbox.handler = message -> handled.add(message.id());
    inbox.work();
    OperatorAction ends = look(node, started);
    assertThat(ends.state()).isEqualTo(OperatorAction.State.DONE);
    inbox.work();
    assertThat(handled).containsExactly("m0", "m1", "m2", "m3");
  }
}
