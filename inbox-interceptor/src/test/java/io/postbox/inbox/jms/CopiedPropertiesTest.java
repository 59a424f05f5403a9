package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CopiedPropertiesTest {

  @Test
  void theSendersPropertiesAreCopiedWithTheirTypes() throws JMSException {
    Map<String, @Nullable Object> copied =
        CopiedProperties.of(
            FakeMessage.text("x")
                .with("small", (byte) 1)
                .with("single", 1.5f)
                .with("OutboxMessageId", "7")
                .with("JMSomething", "of the sender")
                .with("JMSXGroupID", "group")
                .with("JMSXGroupSeq", 7)
                .as(Message.class));

    assertThat(copied)
        .containsOnly(
            Map.entry("small", (byte) 1),
            Map.entry("single", 1.5f),
            Map.entry("OutboxMessageId", "7"),
            Map.entry("JMSomething", "of the sender"),
            Map.entry("JMSXGroupID", "group"),
            Map.entry("JMSXGroupSeq", 7));
  }

  @Test
  void theProvidersPropertiesAreNotCopied() throws JMSException {
    assertThat(
            CopiedProperties.of(
                FakeMessage.text("x")
                    .with("JMSXDeliveryCount", 3)
                    .with("JMSXUserID", "ada")
                    .with("JMS_IBM_System_MessageID", "8193FB46A786A457_1")
                    .with("_AMQ_DUPL_ID", "7")
                    .with("_AMQ_ORIG_ADDRESS", "q")
                    .with("JMS_AMQP_CONTENT_TYPE", "text/plain")
                    .as(Message.class)))
        .containsOnlyKeys("JMS_AMQP_CONTENT_TYPE");
  }

  @Test
  void propertiesOfOtherProtocolsCannotAlwaysBeSet() {
    assertThat(canBeSet("traceparent", "00-1")).isTrue();
    assertThat(canBeSet("none", null)).isTrue();
    assertThat(canBeSet("content-type", "text/plain")).isFalse();
    assertThat(canBeSet("1st", "x")).isFalse();
    assertThat(canBeSet("", "x")).isFalse();
    assertThat(canBeSet("key", new byte[] {1})).isFalse();
  }

  private static boolean canBeSet(String name, @Nullable Object value) {
    Map<String, @Nullable Object> properties = new HashMap<>();
    properties.put(name, value);
    return CopiedProperties.canBeSet(properties);
  }
}
