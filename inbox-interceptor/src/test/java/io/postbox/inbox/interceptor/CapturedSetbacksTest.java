package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.MessageEdit;
import io.postbox.common.PayloadCipher;
import io.postbox.common.RedrivePace;
import io.postbox.common.store.Dialect;
import io.postbox.common.testing.SampleCipher;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.ops.KeptEdits;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.work.WorkQueue.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps around the handler of a captured message fail: its opening, and its reply. */
class CapturedSetbacksTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "max-attempts", "2", "max-transient-failures", "4", "capture.after-processing", "keep");

  private final List<String> handled = new ArrayList<>();
  private final ReplyBroker broker = new ReplyBroker();
  private long now;

  private CapturedFixture fixture(TestDatabase database) throws SQLException {
    return fixture(new CapturedFixture(database, SETTINGS));
  }

  private CapturedFixture fixture(CapturedFixture fixture) {
    fixture.processor.lookup = broker::find;
    fixture.processor.nanos = () -> now;
    fixture.handler =
        message -> {
          handled.add(message.id());
          fixture.context.result("done " + message.id());
        };
    return fixture;
  }

  private void request(CapturedFixture fixture, String id, String key) throws Exception {
    fixture.capture(TestDelivery.of(id).askedFor("queue:Q-" + id), key);
    fixture.run("UPDATE inbox_stored SET reply_allowed = TRUE WHERE message_id = '" + id + "'");
  }

  private void wait(CapturedFixture fixture) throws SQLException {
    wait(fixture, Duration.ofHours(1));
  }

  private void wait(CapturedFixture fixture, Duration time) throws SQLException {
    now += time.toNanos();
    fixture.run(
        "UPDATE inbox_stored SET due_at = due_at - INTERVAL '%s' SECOND WHERE status = 'DELAYED'"
            .formatted(time.toSeconds()));
  }

  private static void edit(CapturedFixture fixture) throws SQLException {
    new KeptEdits(
            Dialect.H2,
            fixture.database.config(),
            fixture.dataSourceOfItsOwn(),
            fixture.database.contents(),
            (consumer, old, edit) -> old,
            content -> List.of())
        .edit(
            Long.parseLong(
                fixture.column("SELECT id FROM inbox_stored WHERE status = 'PARKED'").get(0)),
            MessageEdit.text("other"),
            "ada",
            "wrong");
  }

  private static void redrive(CapturedFixture fixture) throws SQLException {
    BackgroundActions actions = fixture.actions(InstantSource.system());
    actions.redrive(
        fixture.plan(KeptFilter.all()).token().id(),
        ReplyOnRedrive.KEEP,
        RedrivePace.FASTEST,
        "ada",
        "mended");
    actions.runner().runIfDue(Runnable::run);
  }

  @ParameterizedTest
  @EnumSource
  void oneThatCannotBeReadIsTriedLessAndLessOftenAndIsLeftToAPersonInTheEnd(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    fixture.capture(TestDelivery.of("m"), "K");
    fixture.capture(TestDelivery.of("n"), "K");
    fixture.capture(TestDelivery.of("o"), null);
    fixture.run("UPDATE inbox_stored SET properties = '{}' WHERE message_id = 'm'");

    try (LogLines lines = new LogLines()) {
      fixture.work();
      assertThat(fixture.statuses()).containsExactly("m DELAYED", "n HELD", "o PROCESSED");
      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0192 ")
          .contains("did not come to its handler", "HANDLER_NOT_REACHED");
      for (int i = 0; i < 3; i++) {
        wait(fixture);
        fixture.work();
      }
    }

    assertThat(
            fixture.column(
                "SELECT reason || ' ' || attempts FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("HANDLER_NOT_REACHED 4");
    assertThat(fixture.statuses()).containsExactly("m PARKED", "n HELD", "o PROCESSED");
    assertThat(fixture.keysWithoutMessages()).isEmpty();

    fixture.run(
        "UPDATE inbox_stored SET properties = '{\"headers\":{},\"properties\":{}}' WHERE"
            + " message_id = 'm'");
    redrive(fixture);
    fixture.work();
    assertThat(handled).as("with the content that stayed").containsExactly("o", "m", "n");
    assertThat(fixture.column("SELECT reason FROM inbox_stored WHERE reason IS NOT NULL"))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void oneOfAKindThatThisVersionDoesNotKnowIsLeftToAPersonToo(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    fixture.capture(TestDelivery.of("m"), "K");
    fixture.capture(TestDelivery.of("n"), "K");
    fixture.run("UPDATE inbox_stored SET body_type = 'LATER' WHERE message_id = 'm'");

    for (int i = 0; i < 4; i++) {
      fixture.work();
      wait(fixture);
    }

    assertThat(
            fixture.column(
                "SELECT reason || ' ' || attempts FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("HANDLER_NOT_REACHED 4");
    assertThat(fixture.statuses()).containsExactly("m PARKED", "n HELD");
  }

  @ParameterizedTest
  @EnumSource
  void oneThatCannotEvenBeParkedIsTriedLessAndLessOften(TestDatabase database) throws Exception {
    CapturedFixture fixture = fixture(database);
    FarCipher cipher = new FarCipher();
    fixture.database.encryptWith(() -> Optional.of(cipher));
    fixture.database.prepare();
    fixture.capture(TestDelivery.of("m"), "K");
    cipher.isAway = true;

    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 6; i++) {
        assertThat(fixture.work()).as("recorded").containsExactly(Result.DONE);
        wait(fixture);
      }
      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0243 "))
          .singleElement()
          .asString()
          .contains("could not be parked", "cannot be encrypted");
    }
    assertThat(fixture.column("SELECT status || ' ' || setbacks FROM inbox_stored"))
        .containsExactly("DELAYED 6");

    cipher.isAway = false;
    fixture.work();
    assertThat(handled).containsExactly("m");
  }

  @ParameterizedTest
  @EnumSource
  void oneThatAnotherNodeHasHandledMeanwhileIsNotParked(TestDatabase database) throws Exception {
    CapturedFixture fixture =
        fixture(new CapturedFixture(database, Map.of("max-transient-failures", "1")));
    for (String id : List.of("m", "n", "o")) {
      fixture.capture(TestDelivery.of(id), "K");
    }
    fixture.run("UPDATE inbox_stored SET properties = '{}' WHERE message_id = 'm'");
    fixture.afterRollback =
        () -> {
          fixture.afterRollback = () -> {};
          isHandledElsewhere(fixture);
        };

    List<Result> results = fixture.work();

    assertThat(fixture.column("SELECT reason FROM inbox_stored WHERE reason IS NOT NULL"))
        .isEmpty();
    assertThat(handled).as("one after the other").containsExactly("n", "o");
    assertThat(results).as("the setback, the end of its reply, and two turns").hasSize(4);
    assertThat(fixture.keysWithoutMessages()).isEmpty();
  }

  private static void isHandledElsewhere(CapturedFixture fixture) {
    try {
      fixture.run(
          "UPDATE inbox_stored SET status = 'DELAYED', handled = TRUE, ordering_key = NULL,"
              + " due_at = stored_at, properties = '{\"headers\":{},\"properties\":{}}'"
              + " WHERE message_id = 'm'");
      fixture.run("UPDATE inbox_stored SET status = 'PENDING' WHERE message_id = 'n'");
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** One that asks a server of keys for each message. */
  private static final class FarCipher implements PayloadCipher {
    private final PayloadCipher near = new SampleCipher("key");
    private boolean isAway;

    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception {
      return reached().encrypt(plain, associated);
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception {
      return reached().decrypt(encrypted, associated);
    }

    private PayloadCipher reached() {
      if (isAway) {
        throw new IllegalStateException("no server of keys");
      }
      return near;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplyThatCannotBeSentHoldsNobodyUpAndIsLeftToAPersonInTheEnd(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    request(fixture, "m", "K");
    fixture.capture(TestDelivery.of("n"), "K");
    broker.refuses = true;

    try (LogLines lines = new LogLines()) {
      fixture.work();
      assertThat(handled).containsExactly("m", "n");
      assertThat(fixture.statuses()).containsExactly("m DELAYED", "n PROCESSED");
      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0241 ")
          .contains("was handled", "inbox_result", "REPLY_NOT_SENT", "not now");
      for (int i = 0; i < 3; i++) {
        wait(fixture);
        fixture.work();
      }
    }
    assertThat(
            fixture.column(
                "SELECT reason || ' ' || attempts FROM inbox_stored WHERE reason IS NOT NULL"))
        .containsExactly("REPLY_NOT_SENT 4");
    assertThat(fixture.keysWithoutMessages()).isEmpty();
    assertThat(fixture.column("SELECT outcome FROM inbox_message")).containsOnly("PROCESSED");
    assertThatThrownBy(() -> edit(fixture))
        .as("it would change nothing of what is sent")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("was handled", "only its reply", "redrive");

    broker.refuses = false;
    wait(fixture);
    redrive(fixture);
    fixture.work();
    assertThat(broker.sent).containsExactly("Q-m: done m");
    assertThat(handled).containsExactly("m", "n");
    assertThat(fixture.statuses()).containsExactly("m PROCESSED", "n PROCESSED");
  }

  @ParameterizedTest
  @EnumSource
  void aBrokerThatIsAwayIsAskedByOneReplyAtATime(TestDatabase database) throws Exception {
    CapturedFixture fixture = fixture(database);
    for (int i = 0; i < 5; i++) {
      request(fixture, "m" + i, null);
    }
    broker.isAway = true;

    fixture.work();
    assertThat(handled).hasSize(5);
    assertThat(broker.connections).isOne();
    wait(fixture);
    fixture.work();
    assertThat(broker.connections).isEqualTo(2);
    assertThat(fixture.column("SELECT SUM(setbacks) FROM inbox_stored")).containsExactly("2");

    broker.isAway = false;
    wait(fixture);
    fixture.work();
    assertThat(broker.sent).hasSize(5);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokerThatIsAwayIsAskedLessAndLessOftenAndCostsTheOthersNothing(TestDatabase database)
      throws Exception {
    CapturedFixture fixture =
        fixture(new CapturedFixture(database, Map.of("max-transient-failures", "100")));
    for (int i = 0; i < 5; i++) {
      request(fixture, "m" + i, null);
    }
    broker.isAway = true;
    fixture.work();
    int turns = 0;

    for (int second = 1; second <= 300; second++) {
      wait(fixture, Duration.ofSeconds(1));
      turns += fixture.work().size();
      assertThat(broker.connections).isGreaterThan(second > 20 ? 5 : 1 + second / 5);
    }

    assertThat(broker.connections).isLessThan(40);
    assertThat(turns).as("only the reply that asks is touched").isEqualTo(broker.connections - 1);
    broker.isAway = false;
    wait(fixture, Duration.ofSeconds(30));
    fixture.work();
    assertThat(broker.sent).as("at once when one was sent").hasSizeGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void whileOneReplyAsksWhetherTheBrokerIsBackTheOthersStayDue(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    for (int i = 0; i < 5; i++) {
      request(fixture, "m" + i, null);
    }
    broker.isAway = true;
    fixture.work();
    broker.isAway = false;
    wait(fixture, Duration.ofSeconds(10));
    broker.meanwhile =
        () -> {
          broker.meanwhile = () -> {};
          workBeside(fixture);
        };

    fixture.work();

    assertThat(broker.sent).hasSizeGreaterThanOrEqualTo(4);
  }

  private static void workBeside(CapturedFixture fixture) {
    try {
      fixture.work();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplyThatFailsByItselfHoldsUpNoOther(TestDatabase database) throws Exception {
    CapturedFixture fixture = fixture(database);
    broker.isAway = true;
    for (int i = 0; i < 5; i++) {
      request(fixture, "m" + i, null);
    }
    fixture.work();
    broker.isAway = false;
    broker.forbidden.add("Q-m1");
    fixture.run("UPDATE inbox_stored SET properties = '{}' WHERE message_id = 'm2'");
    wait(fixture);

    fixture.work();

    assertThat(broker.sent)
        .containsExactlyInAnyOrder("Q-m0: done m0", "Q-m3: done m3", "Q-m4: done m4");
  }

  /** As after the database's clock was set back by a day. */
  @ParameterizedTest
  @EnumSource
  void retriesThatAreFarAheadAreDueAndWhatSomebodyDelayedIsNot(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    for (String id : List.of("set-back", "reply", "retry", "asked", "delayed", "back", "soon")) {
      fixture.capture(TestDelivery.of(id), null);
    }
    fixture.run(
        "UPDATE inbox_stored SET status = 'DELAYED', due_at = stored_at + INTERVAL '1' DAY");
    fixture.run("UPDATE inbox_stored SET setbacks = 1 WHERE message_id = 'set-back'");
    fixture.run("UPDATE inbox_stored SET handled = TRUE WHERE message_id = 'reply'");
    fixture.run("UPDATE inbox_stored SET waited_for = 1 WHERE message_id IN ('retry', 'asked')");
    fixture.run(
        "INSERT INTO inbox_failure (consumer, message_id, attempt, kind, reason, signature, node)"
            + " VALUES ('shipping', 'asked', 1, 'LATER', '', '', 'n')");
    fixture.run(
        "UPDATE inbox_stored SET status = 'HANDED_BACK' WHERE message_id IN ('back', 'soon')");
    fixture.run(
        "UPDATE inbox_stored SET due_at = due_at + INTERVAL '1' HOUR WHERE message_id = 'back'");
    fixture.run(
        "UPDATE inbox_stored SET due_at = due_at - INTERVAL '1' HOUR WHERE message_id = 'soon'");

    try (LogLines lines = new LogLines()) {
      fixture.housekeeping().tick();
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0245 4 ");
    }
    assertThat(
            fixture.column(
                "SELECT message_id FROM inbox_stored WHERE status = 'HANDED_BACK'"
                    + " AND due_at <= CURRENT_TIMESTAMP"))
        .as("whose copy may be lost")
        .containsExactly("back");
    fixture.work();

    assertThat(
            fixture.column(
                "SELECT message_id FROM inbox_stored WHERE status = 'DELAYED' ORDER BY id"))
        .containsExactly("asked", "delayed");
  }

  @ParameterizedTest
  @EnumSource
  void aReplyToAQueueThatIsGoneIsTriedOnceWhateverTheBrokersExceptionIs(TestDatabase database)
      throws Exception {
    CapturedFixture fixture = fixture(database);
    request(fixture, "m", "K");
    broker.missing.add("Q-m");

    try (LogLines lines = new LogLines()) {
      fixture.work();
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0061 ");
    }
    assertThat(fixture.statuses()).containsExactly("m PROCESSED");
    assertThat(fixture.column("SELECT result FROM inbox_result")).containsExactly("done m");
    assertThat(fixture.keysWithoutMessages()).isEmpty();
  }
}
