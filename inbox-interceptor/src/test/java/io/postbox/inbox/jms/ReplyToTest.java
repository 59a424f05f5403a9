package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Destination;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import org.apache.activemq.artemis.jms.TemporaryQueueOfArtemis;
import org.junit.jupiter.api.Test;

class ReplyToTest {
  private static final String ARTEMIS =
      "org.apache.activemq.artemis.jms.client.ActiveMQTemporaryQueue";
  private static final String LIBERTY = "com.ibm.ws.sib.api.jms.impl.JmsQueueImpl";
  private static final String UUID = "0f7a3a55-9f0e-4b52-a6d0-6a52e1d2d9a1";

  @Test
  void artemisIsNotBelievedThatAnAddressIsTemporaryUnlessItsNameIsOneThatItMakes() {
    assertThat(ReplyTo.isTemporary(ARTEMIS, true, UUID)).isTrue();
    assertThat(ReplyTo.isTemporary(ARTEMIS, true, "node-1." + UUID)).isTrue();

    assertThat(ReplyTo.isTemporary(ARTEMIS, true, "SHIPPING")).isFalse();
    assertThat(ReplyTo.isTemporary(ARTEMIS, true, "SHIPPING::" + UUID)).isFalse();
    assertThat(ReplyTo.isTemporary(ARTEMIS, true, UUID + ".SHIPPING")).isFalse();
    assertThat(ReplyTo.isTemporary(ARTEMIS, false, UUID)).isFalse();
  }

  @Test
  void libertyIsAskedByTheNameAlone() {
    assertThat(ReplyTo.isTemporary(LIBERTY, false, "_Q_5A3B0A4E2C1D9F7700000001")).isTrue();
    assertThat(ReplyTo.isTemporary(LIBERTY, false, "_T_5A3B0A4E2C1D9F7700000002")).isTrue();

    assertThat(ReplyTo.isTemporary(LIBERTY, true, "SHIPPING")).isFalse();
    assertThat(ReplyTo.isTemporary(LIBERTY, false, "_P_SYSTEM")).isFalse();
  }

  @Test
  void ofAnotherProviderTheTypeTells() {
    assertThat(ReplyTo.isTemporary("com.example.TemporaryQueue", true, "x")).isTrue();
    assertThat(ReplyTo.isTemporary("com.example.Queue", false, "x")).isFalse();
  }

  @Test
  void aNamedDestinationIsFoundAgainByItsNameAndATemporaryOneOfAnUnknownProviderIsNot() {
    Destination named = FakeContext.queue("REPLIES");
    TemporaryQueue temporary =
        FakeBroker.fake(TemporaryQueue.class, (proxy, method, arguments) -> UUID);
    TemporaryTopic topic =
        FakeBroker.fake(TemporaryTopic.class, (proxy, method, arguments) -> UUID);

    assertThat(ReplyTo.of(asking(named)).canBeFoundAgain()).isTrue();
    assertThat(ReplyTo.of(FakeMessage.text("x").as(Message.class)).canBeFoundAgain())
        .as("none is wanted")
        .isTrue();
    assertThat(ReplyTo.of(asking(temporary)).canBeFoundAgain()).isFalse();
    assertThat(ReplyTo.of(asking(topic)).canBeFoundAgain()).isFalse();
    assertThat(ReplyTo.of(asking(new TemporaryQueueOfArtemis(UUID))).canBeFoundAgain()).isTrue();
    assertThat(new ReplyTo(named, null, true).canBeFoundAgain()).as("no name").isFalse();
  }

  private static Message asking(Destination replyTo) {
    return FakeMessage.text("x").header("JMSReplyTo", replyTo).as(Message.class);
  }
}
