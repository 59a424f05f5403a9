package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.CaptureSwitches;
import io.postbox.inbox.store.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the retention must not forget as long as a captured message waits. */
class CapturedRetentionTest {
  private final List<String> handled = new ArrayList<>();

  /** Ten days pass, and the default retention of seven is over. */
  private static void tenDaysPass(CapturedFixture inbox) throws Exception {
    for (String moved :
        List.of(
            "inbox_message SET processed_at = processed_at",
            "inbox_failure SET failed_at = failed_at",
            "inbox_result SET created_at = created_at",
            "inbox_stored SET stored_at = stored_at")) {
      inbox.run("UPDATE " + moved + " - INTERVAL '10' DAY");
    }
    inbox.housekeeping().tick();
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatAWaitingMessageHasMadeIsNotMadeAgain(TestDatabase database) throws Exception {
    CapturedFixture inbox = new CapturedFixture(database, Map.of());
    inbox.run("INSERT INTO inbox_alive (id) VALUES (1)"); // nodes have always lived
    AtomicInteger calls = new AtomicInteger();
    boolean[] works = {false};
    inbox.handler =
        message -> {
          inbox.context.once("charge", key -> "receipt " + calls.incrementAndGet());
          if (!works[0]) {
            throw new IllegalStateException("the printer is broken");
          }
          handled.add(message.id());
        };
    inbox.capture(TestDelivery.of("m"), null);
    inbox.work();
    inbox.work();
    assertThat(inbox.statuses()).containsExactly("m DELAYED");
    CaptureSwitches switches =
        new CaptureSwitches(
            inbox.dialect(),
            inbox.database.config(),
            inbox.dataSourceOfItsOwn(),
            new DeployedConsumers(Set.of(), true));
    switches.pause("shipping", "ada", "printer");
    tenDaysPass(inbox);

    assertThat(inbox.column("SELECT attempt FROM inbox_failure")).as("its budget").hasSize(1);
    switches.resume("shipping", "ada", "mended");
    works[0] = true;
    inbox.run("UPDATE inbox_stored SET due_at = due_at - INTERVAL '1' DAY");
    inbox.work();
    assertThat(handled).containsExactly("m");
    assertThat(calls).as("charges").hasValue(1);
    tenDaysPass(inbox);
    assertThat(inbox.column("SELECT message_id FROM inbox_message"))
        .as("once it is handled, its time is over")
        .isEmpty();
    assertThat(inbox.column("SELECT attempt FROM inbox_failure")).isEmpty();
    assertThat(inbox.column("SELECT effect FROM inbox_result")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void otherContentUnderTheIdOfAWaitingMessageIsQuarantined(TestDatabase database)
      throws Exception {
    CapturedFixture inbox = new CapturedFixture(database, Map.of());
    inbox.run("INSERT INTO inbox_alive (id) VALUES (1)");
    inbox.capture(TestDelivery.of("m"), null);
    tenDaysPass(inbox);
    inbox.capture(TestDelivery.of("m").with(new Fingerprint(1, "22".repeat(32))), null);

    assertThat(inbox.column("SELECT reason FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("OTHER_CONTENT");
  }
}
