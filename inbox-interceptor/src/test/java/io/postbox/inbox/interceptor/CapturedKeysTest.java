package io.postbox.inbox.interceptor;

import static io.postbox.inbox.interceptor.CapturedFixture.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.work.WorkQueue.Result;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats of captured messages, and the ordering keys that they must not hold. */
class CapturedKeysTest {
  private static final Fingerprint OTHER = new Fingerprint(1, "22".repeat(32));

  private final List<String> handled = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void aRepeatOfAQuarantinedMessageHoldsNoKey(TestDatabase database) throws Exception {
    CapturedFixture inbox =
        new CapturedFixture(
            database,
            Map.of("consumer.shipping.order", "version", "capture.after-processing", "keep"));
    inbox.handler = message -> handled.add(message.id());
    inbox.capture(version("a", "A", 1), "K");
    inbox.work();
    TestDelivery other = version("m", "A", 1).with(OTHER);
    inbox.capture(other, "K");
    inbox.work();
    assertThat(inbox.column("SELECT reason FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("SAME_VERSION");
    assertThat(inbox.statuses()).as("it was not processed").containsExactly("a PROCESSED");

    inbox.capture(other, "K"); // its acknowledgement was lost
    inbox.capture(version("n", "A", 2), "K");
    inbox.capture(version("o", "B", 1), "K");
    inbox.work();

    assertThat(handled).containsExactly("a", "n", "o");
    assertThat(inbox.keysWithoutMessages()).isEmpty();
    assertThat(inbox.column("SELECT message_id FROM inbox_stored WHERE status = 'QUARANTINED'"))
        .containsExactly("m");
  }

  @ParameterizedTest
  @EnumSource
  void aCopyOfAKeptMessageWhoseIdIsForgottenHoldsNoKey(TestDatabase database) throws Exception {
    CapturedFixture inbox =
        new CapturedFixture(database, Map.of("capture.after-processing", "keep"));
    inbox.handler = message -> handled.add(message.id());
    inbox.capture(TestDelivery.of("m"), "K");
    inbox.work();
    inbox.run("DELETE FROM inbox_message"); // as the retention does first
    inbox.capture(TestDelivery.of("m"), "K");
    assertThat(inbox.keysWithoutMessages()).isEmpty();
    assertThat(inbox.column("SELECT outcome FROM inbox_message")).containsExactly("PROCESSED");

    inbox.run("DELETE FROM inbox_stored"); // as it does then
    inbox.capture(TestDelivery.of("n"), "K");
    inbox.work();
    assertThat(handled).containsExactly("m", "n");
  }

  @ParameterizedTest
  @EnumSource
  void workIsNotLostBecauseALongTransactionCapturesBehindIt(TestDatabase database)
      throws Exception {
    CapturedFixture inbox = new CapturedFixture(database, Map.of());
    inbox.handler = message -> handled.add(message.id());
    inbox.capture(TestDelivery.of("a"), "K");
    try (Connection caller = inbox.dataSourceOfItsOwn().getConnection()) {
      caller.setAutoCommit(false);
      try (Statement statement = caller.createStatement()) { // as InboxGuard.capture does
        statement.executeQuery("SELECT * FROM inbox_key FOR UPDATE");
      }
      assertThat(inbox.work()).contains(Result.FAILED);
      assertThat(handled).containsExactly("a");
      assertThat(inbox.column("SELECT outcome FROM inbox_message"))
          .as("its effects are committed")
          .containsExactly("PROCESSED");
      caller.rollback();
    }
    inbox.capture(TestDelivery.of("b"), "K");
    inbox.work();

    assertThat(handled).as("once each").containsExactly("a", "b");
    assertThat(inbox.statuses()).isEmpty();
    assertThat(inbox.keysWithoutMessages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void otherContentUnderTheIdOfAMessageThatIsStillThereIsQuarantined(TestDatabase database)
      throws Exception {
    CapturedFixture inbox = new CapturedFixture(database, Map.of());
    inbox.handler = message -> handled.add(message.id());
    inbox.capture(TestDelivery.of("m"), null);
    inbox.run("DELETE FROM inbox_message"); // somebody has
    inbox.capture(TestDelivery.of("m").with(OTHER), null);

    assertThat(inbox.column("SELECT reason FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("OTHER_CONTENT");
    inbox.work();
    inbox.capture(TestDelivery.of("m"), null); // a duplicate
    assertThat(inbox.statuses()).isEmpty();
    assertThat(handled).containsExactly("m");
  }
}
