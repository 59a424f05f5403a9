package io.postbox.it.handling;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.handling.Script.Failure;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Log;
import jakarta.jms.JMSException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One id with two contents: whichever is handled, the other is kept aside, and neither is lost. */
abstract class MismatchTests extends HandlingFrame {
  @Test
  void otherContentThatComesAfterTheFirstIsQuarantined() throws JMSException {
    UUID id = UUID.randomUUID();
    Broker.send(queue, id, "the first content", 1);
    followUpComesOnce("the first content");

    Broker.send(queue, id, "another content", 1);

    eventually(() -> assertThat(quarantined()).isOne());
    assertThat(script.attemptsOn("another content")).isEmpty();
    oneIsHandledAndTheOtherKeptAside(id, "the first content", "another content");
  }

  @Test
  void otherContentThatComesWhileTheFirstIsHandledWaitsForItAndIsQuarantined() throws JMSException {
    UUID id = UUID.randomUUID();
    script.waitForCompany("in the making", 1);
    Broker.send(queue, id, "in the making", 1);
    eventually(() -> assertThat(script.hasBegun("in the making")).isTrue());

    Broker.send(queue, id, "what cannot wait", 1);

    followUpComesOnce("in the making");
    assertThat(script.attemptsOn("in the making"))
        .as("one attempt, and how many waited in the database during it")
        .containsExactly(1);
    eventually(() -> assertThat(quarantined()).isOne());
    assertThat(script.hasBegun("what cannot wait")).isFalse();
    oneIsHandledAndTheOtherKeptAside(id, "in the making", "what cannot wait");
  }

  /** The first has failed with its original and with one copy; another copy is on its way. */
  @Test
  void contentThatFailsIsQuarantinedIfOtherContentIsHandledBeforeItsRedelivery()
      throws JMSException {
    UUID id = UUID.randomUUID();
    script.fail("overtaken", Integer.MAX_VALUE, Failure.RUNTIME_EXCEPTION);
    Broker.send(queue, id, "overtaken", 1);
    eventually(() -> assertThat(script.attemptsOn("overtaken")).hasSizeGreaterThanOrEqualTo(2));

    Broker.send(queue, id, "overtaking", 1);
    followUpComesOnce("overtaking");
    script.fail("overtaken", 0, Failure.RUNTIME_EXCEPTION); // it would do no harm any more

    eventually(() -> assertThat(quarantined()).isOne());
    assertThat(column("SELECT generation FROM %sinbox_stored WHERE message_id = ?", id.toString()))
        .as("generation of what was quarantined")
        .singleElement()
        .isNotEqualTo("0"); // in its row, of which copies were sent
    oneIsHandledAndTheOtherKeptAside(id, "overtaking", "overtaken");
  }

  private void oneIsHandledAndTheOtherKeptAside(UUID id, String handled, String other) {
    eventually(() -> assertThat(Broker.depth(queue)).isZero());
    assertThat(processed()).isOne();
    assertThat(skipped()).isZero();
    hasEffectAndRowOnce(handled, id);
    assertThat(column("SELECT text FROM handling_effect WHERE text = ?", other)).isEmpty();
    assertThat(
            column(
                """
                SELECT kept.payload_text
                FROM %sinbox_stored kept
                JOIN %sinbox_message handled
                  ON handled.consumer = kept.consumer AND handled.message_id = kept.message_id
                WHERE kept.message_id = ?
                  AND kept.reason = 'OTHER_CONTENT'
                  AND kept.stored_fingerprint = handled.fingerprint
                  AND kept.fingerprint <> handled.fingerprint
                """,
                id.toString()))
        .containsExactly(other);
    eventually(
        () -> assertThat(Log.ofServer().lines("IBX0005", "'handler'", id.toString())).hasSize(1));
  }
}
