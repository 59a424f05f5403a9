package io.postbox.inbox.interceptor;

import static io.postbox.inbox.interceptor.CapturedFixture.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.KeptFilter;
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

  private void end(BackgroundActions node, OperatorAction action) {
    assertThat(look(node, action).state()).isEqualTo(OperatorAction.State.DONE);
  }

  private CapturedFixture withAHeldKey(TestDatabase database) throws Exception {
    CapturedFixture inbox =
        new CapturedFixture(
            database, Map.of("consumer.shipping.order", "version", "capture.on-parked", "hold"));
    inbox.handler =
        message -> {
          if (message.id().equals("a")) {
            throw new RejectedMessageException("unusable");
          }
          handled.add(message.id());
        };
    inbox.capture(version("x2", "X", 2), "K");
    inbox.work();
    inbox.capture(version("a", "A", 1), "K");
    for (int attempt = 0; attempt < 3; attempt++) {
      inbox.work();
    }
    inbox.capture(version("b", "B", 1), "K");
    inbox.work();
    assertThat(inbox.statuses()).containsExactly("x2 EARLY", "a PARKED", "b HELD");
    assertThat(handled).isEmpty();
    return inbox;
  }

  @ParameterizedTest
  @EnumSource
  void aParkedMessageHoldsItsKeyAlthoughAnotherIsDiscarded(TestDatabase database) throws Exception {
    CapturedFixture inbox = withAHeldKey(database);
    BackgroundActions node = inbox.actions(clock);
    end(
        node,
        node.discard(
            inbox.plan(KeptFilter.all().reason("EARLY")).token().id(), "ada", "not needed"));
    inbox.work();

    assertThat(handled).as("nobody has decided about a").isEmpty();
    assertThat(inbox.statuses()).containsExactly("a PARKED", "b HELD");
    end(node, node.discard(inbox.plan(KeptFilter.all()).token().id(), "ada", "not needed either"));
    inbox.work();
    assertThat(handled).containsExactly("b");
    assertThat(inbox.keysWithoutMessages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aParkedMessageHoldsItsKeyAlthoughAnotherIsRedriven(TestDatabase database) throws Exception {
    CapturedFixture inbox = withAHeldKey(database);
    inbox.run("INSERT INTO inbox_discarded VALUES ('shipping', 'Order', 'X', 1)");
    BackgroundActions node = inbox.actions(clock);
    KeptFilter early = KeptFilter.all().reason("EARLY");
    end(
        node,
        node.redrive(
            inbox.plan(early).token().id(),
            ReplyOnRedrive.KEEP,
            RedrivePace.FASTEST,
            "ada",
            "its turn"));
    inbox.work();

    assertThat(handled).as("nobody has decided about a").isEmpty();
    assertThat(inbox.statuses()).containsExactly("x2 HELD", "a PARKED", "b HELD");
    inbox.handler = message -> handled.add(message.id());
    end(
        node,
        node.redrive(
            inbox.plan(KeptFilter.all()).token().id(),
            ReplyOnRedrive.KEEP,
            RedrivePace.FASTEST,
            "ada",
            "mended"));
    inbox.work();
    assertThat(handled).as("it is a's turn").containsExactly("a", "x2", "b");
  }

  @ParameterizedTest
  @EnumSource
  void afterAStartWithContinueTheKeyGoesOn(TestDatabase database) throws Exception {
    CapturedFixture before = withAHeldKey(database);
    CapturedFixture inbox =
        before.again(Map.of("consumer.shipping.order", "version", "capture.on-parked", "continue"));
    inbox.handler = message -> handled.add(message.id());
    inbox.housekeeping().tick();
    inbox.work();
    inbox.capture(version("c", "C", 1), "K");
    inbox.work();

    assertThat(handled).containsExactly("b", "c");
    assertThat(inbox.statuses()).containsExactly("x2 EARLY", "a PARKED");
    assertThat(inbox.keysWithoutMessages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void oneThatWasParkedUnderContinueHoldsNothingLater(TestDatabase database) throws Exception {
    CapturedFixture before = new CapturedFixture(database, Map.of("capture.on-parked", "continue"));
    before.handler =
        message -> {
          throw new RejectedMessageException("unusable");
        };
    before.capture(TestDelivery.of("a"), "K");
    for (int attempt = 0; attempt < 3; attempt++) {
      before.work();
    }
    CapturedFixture inbox = before.again(Map.of("capture.on-parked", "hold"));
    inbox.capture(TestDelivery.of("b"), "K"); // is in work
    inbox.capture(TestDelivery.of("c"), "K");
    BackgroundActions node = inbox.actions(clock);
    end(node, node.discard(inbox.plan(KeptFilter.all()).token().id(), "ada", "not needed"));

    assertThat(inbox.statuses()).containsExactly("b PENDING", "c HELD");
    inbox.handler = message -> handled.add(message.id());
    inbox.work();
    assertThat(handled).containsExactly("b", "c");
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
    assertThat(inbox.column("SELECT message_id FROM inbox_stored")).hasSize(4);

    BackgroundActions node = inbox.actions(clock);
    OperatorAction started =
        node.redrive(
            inbox.plan(KeptFilter.all()).token().id(),
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
