package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import io.postbox.common.text.Storable;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A message that is kept aside and sent again is the same, but for what is not the sender's. */
class KeptMessageFuzzTest {
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final List<String> NOT_THE_SENDERS =
      List.of(
          "JMSXDeliveryCount",
          "JMS_VENDOR",
          "_AMQ_DUPL_ID",
          "InboxAttempt",
          "InboxMayReply",
          "InboxMessageId",
          "InboxOnlyFor",
          "InboxStored",
          "InboxProof");
  private static final List<String> THE_SENDERS =
      List.of("JMSXGroupID", "JMSXGroupSeq", "JMS_AMQP_x", "OutboxMessageId", "a", "$b", "\u00e4");

  @FuzzTest
  void aKeptMessageComesBackAsItWas(byte[] input) throws JMSException {
    Draws draws = new Draws(input);
    FakeMessage original = body(draws);
    Map<String, Object> wanted = properties(draws, original);
    if (draws.flag()) {
      original.header("JMSCorrelationID", draws.text(6)).header("JMSType", draws.text(6));
    }
    int priority = draws.below(10);
    original.header("JMSPriority", priority);

    Content kept = Contents.of(SHIPPING, original.as(Message.class), draws.flag());
    assertThat(kept.properties()).matches("[ -~]*");
    assertThat(kept.text()).matches(it -> it == null || Storable.isText(it));
    FakeContext context = new FakeContext();
    MessageRebuilder rebuild = new MessageRebuilder(kept);
    rebuild.message(context.context(), Map.of(), ReplyOnRedrive.KEEP);

    assertThat(rebuild.priority()).isEqualTo(priority);
    Message made = context.received().as(Message.class);
    Message received = original.as(Message.class);
    assertThat(Fingerprints.of(made)).isEqualTo(Fingerprints.of(received));
    assertThat(made.getJMSCorrelationID()).isEqualTo(received.getJMSCorrelationID());
    assertThat(made.getJMSType()).isEqualTo(received.getJMSType());
    Map<String, Object> found = new TreeMap<>();
    for (String name : Bodies.names(made.getPropertyNames())) {
      found.put(name, made.getObjectProperty(name));
    }
    assertThat(found).isEqualTo(wanted);

    Content retry = Contents.of(SHIPPING, made, true);
    assertThat(retry.type()).isEqualTo(kept.type());
    assertThat(retry.text()).isEqualTo(kept.text());
    assertThat(retry.bytes()).isEqualTo(kept.bytes());
  }

  @Test
  void alsoTheSameMessagesEachTime() {
    Draws.check(4_000, this::aKeptMessageComesBackAsItWas);
  }

  /** Sets some, and tells which of them belong to the message. */
  private static Map<String, Object> properties(Draws draws, FakeMessage message) {
    Map<String, Object> wanted = new TreeMap<>();
    for (int i = draws.below(5); i > 0; i--) {
      Object value = draws.propertyValue();
      if (draws.below(3) == 0) {
        message.with(NOT_THE_SENDERS.get(draws.below(NOT_THE_SENDERS.size())), value);
      } else {
        String name = THE_SENDERS.get(draws.below(THE_SENDERS.size()));
        message.with(name, value);
        wanted.put(name, value);
      }
    }
    return wanted;
  }

  private static FakeMessage body(Draws draws) {
    switch (draws.below(5)) {
      case 0 -> {
        return FakeMessage.text(draws.below(8) == 0 ? null : draws.text(40));
      }
      case 1 -> {
        return FakeMessage.bytes(draws.octets(40));
      }
      case 2 -> {
        Map<String, @Nullable Object> entries = new HashMap<>();
        for (int i = draws.below(5); i > 0; i--) {
          entries.put(draws.text(5), draws.bodyValue());
        }
        return FakeMessage.map(entries);
      }
      case 3 -> {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = draws.below(5); i > 0; i--) {
          values.add(draws.bodyValue());
        }
        return FakeMessage.stream(values.toArray());
      }
      default -> {
        return FakeMessage.none();
      }
    }
  }
}
