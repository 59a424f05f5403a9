package io.postbox.it.engine;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same in each mode and on each database. */
abstract class EngineTests {
  /** The service whose listener has transactions of the inbox's own. */
  static final String OWN = "engine-own";

  private final TestApplication application = TestApplication.of(getClass());
  private final String service = application.service();
  private final String queue = application.queue();
  private final String prefix = application.prefix();

  @Inject Engine engine;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.max-attempts",
            "3",
            "postbox.inbox.backoff.first",
            "300ms",
            "postbox.inbox.backoff.max",
            "1s"),
        it.service().startsWith(OWN) ? EngineMdb.class : OwnEngineMdb.class);
  }

  @AfterEach
  void nothingIsLeftInTheQueue() {
    eventually(() -> assertThat(Broker.depth(queue)).isZero());
  }

  @Test
  void poisonIsParkedAndGoodMessagesKeepFlowing() {
    UUID poison = UUID.randomUUID();
    String poisonText = "poison " + poison;
    List<String> good = IntStream.range(0, 100).mapToObj(n -> "good " + poison + " " + n).toList();
    Broker.send(queue, poison, poisonText, 1);
    good.forEach(text -> Broker.send(queue, UUID.randomUUID(), text, 1));

    eventually(
        () ->
            assertThat(engine.effects("good " + poison + "%"))
                .containsExactlyInAnyOrderElementsOf(good));
    eventually(() -> assertThat(parked(poison)).containsExactly("TOO_MANY_FAILURES"));

    assertThat(engine.attemptsOn(poisonText)).containsExactly(1, 2, 3);
    Interference interference = Interference.of(engine.begun(poison.toString()), poisonText);
    System.out.println("[" + service + "] " + interference.text());
    assertThat(interference.goodBetweenTries()).as("good ones between the tries").isPositive();
    assertThat(engine.effects(poisonText)).isEmpty();
    assertThat(remembered(poison)).isEmpty();
    assertThat(failures(poison)).containsExactly("FAILED", "FAILED", "FAILED");
    assertThat(
            Engine.database()
                .value(
                    "SELECT payload_text FROM " + prefix + "inbox_stored WHERE message_id = ?",
                    poison.toString()))
        .isEqualTo(poisonText);
    eventually(
        () ->
            assertThat(Log.ofServer().lines(" IBX0009 ", "'engine'", poison.toString()))
                .hasSize(1));
  }

  @Test
  void aRejectedMessageIsTriedOnceAndParked() {
    UUID id = UUID.randomUUID();

    Broker.send(queue, id, "reject " + id, 1);

    eventually(() -> assertThat(parked(id)).containsExactly("REJECTED"));
    assertThat(engine.attemptsOn("reject " + id)).containsExactly(1);
    assertThat(engine.effects("reject " + id)).isEmpty();
  }

  @Test
  void aMessageThatIsToComeLaterComesOftenerThanItMayFail() {
    UUID id = UUID.randomUUID();

    Broker.send(queue, id, "later " + id, 1);

    eventually(() -> assertThat(engine.effects("later " + id)).hasSize(1));
    assertThat(engine.attemptsOn("later " + id)).containsExactly(1, 1, 1, 1);
    assertThat(remembered(id)).containsExactly("PROCESSED");
  }

  @Test
  void aHandlerThatStumblesTwiceHasItsEffectsOnce() {
    UUID id = UUID.randomUUID();

    Broker.send(queue, id, "stumble " + id, 1);

    eventually(() -> assertThat(engine.effects("stumble " + id)).hasSize(1));
    assertThat(engine.attemptsOn("stumble " + id)).containsExactly(1, 2, 3);
    assertThat(remembered(id)).containsExactly("PROCESSED");
  }

  @Test
  void anExceptionThatTheListenerSwallowsKeepsNothingAndTheMessageIsRedelivered() {
    UUID id = UUID.randomUUID();

    Broker.send(queue, id, "swallow " + id, 1);

    eventually(() -> assertThat(engine.effects("swallow " + id)).hasSize(1));
    assertThat(engine.attemptsOn("swallow " + id)).containsExactly(1, 2, 3);
    assertThat(failures(id)).containsExactly("FAILED", "FAILED");
  }

  @Test
  void hostileMessagesAreKeptAsideOrHandledAndStopNothing() {
    String tag = UUID.randomUUID().toString();
    HostileMessage.sendAll(queue, tag);
    UUID last = UUID.randomUUID();

    Broker.send(queue, last, "good " + last, 1);

    eventually(() -> assertThat(engine.effects("good " + last)).hasSize(1));
    eventually(
        () ->
            assertThat(
                    Engine.database()
                        .column(
                            "SELECT reason FROM "
                                + prefix
                                + "inbox_stored WHERE status = 'QUARANTINED' AND properties LIKE ?",
                            "%" + tag + "%"))
                .containsExactlyInAnyOrderElementsOf(HostileMessage.QUARANTINED));
    eventually(
        () ->
            assertThat(engine.effects("a %" + tag))
                .containsExactlyInAnyOrderElementsOf(HostileMessage.handled(tag)));
  }

  private List<String> parked(UUID id) {
    return column(
        "SELECT reason FROM %sinbox_stored WHERE status = 'PARKED' AND message_id = ?", id);
  }

  private List<String> remembered(UUID id) {
    return column("SELECT outcome FROM %sinbox_message WHERE message_id = ?", id);
  }

  private List<String> failures(UUID id) {
    return column("SELECT kind FROM %sinbox_failure WHERE message_id = ? ORDER BY id", id);
  }

  private List<String> column(String sql, UUID id) {
    return Engine.database().column(sql.formatted(prefix), id.toString());
  }
}
