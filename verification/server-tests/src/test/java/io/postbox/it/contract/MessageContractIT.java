package io.postbox.it.contract;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.OutboxProperties;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Log;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@ArquillianTest
class MessageContractIT {
  @Inject Sender sender;
  @Inject OutboxStatistics outbox;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(MessageContractIT.class, "contract", Archives.settings("contract"));
  }

  @AfterEach
  void nothingIsLeft() {
    Invariants.nothingPending(outbox);
    assertThat(Broker.depth("jms/captured")).isZero();
  }

  @Test
  void everyPropertyOfTheContractIsThere() throws JMSException {
    Instant before = Instant.now();
    UUID id =
        sender.send(
            OutboxMessage.to("captured")
                .event("OrderPlaced")
                .aggregate("Order", 42)
                .aggregateVersion(7)
                .schemaVersion("2")
                .correlationId("basket-9")
                .replyTo("replies")
                .property("region", "eu")
                .property("express", true)
                .property("weight", 1.5)
                .property("priority", 5L)
                .text("hello"));

    Message message = Broker.receive("jms/captured");

    assertThat(message.getStringProperty("OutboxMessageId")).isEqualTo(id.toString());
    assertThat(message.getStringProperty("OutboxEventType")).isEqualTo("OrderPlaced");
    assertThat(message.getJMSType()).isEqualTo("OrderPlaced");
    assertThat(message.getStringProperty("OutboxAggregateType")).isEqualTo("Order");
    assertThat(message.getStringProperty("OutboxAggregateId")).isEqualTo("42");
    assertThat(message.getObjectProperty("OutboxAggregateVersion")).isEqualTo(7L);
    assertThat(message.getStringProperty("OutboxSchemaVersion")).isEqualTo("2");
    assertThat(message.getStringProperty("OutboxContentType")).isEqualTo("text/plain");
    assertThat(message.getStringProperty("OutboxSource")).isEqualTo("contract");
    assertThat(Instant.parse(message.getStringProperty("OutboxCreatedAt")))
        .isBetween(before.minus(Duration.ofSeconds(1)), Instant.now().plusSeconds(1));
    assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("Order/42");
    assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(message.getJMSExpiration()).isZero();
    assertThat(message.getJMSCorrelationID()).isEqualTo("basket-9");
    assertThat(((Queue) message.getJMSReplyTo()).getQueueName()).contains("REPLIES");
    assertThat(message.getObjectProperty("region")).isEqualTo("eu");
    assertThat(message.getObjectProperty("express")).isEqualTo(true);
    assertThat(message.getObjectProperty("weight")).isEqualTo(1.5);
    assertThat(message.getObjectProperty("priority")).isEqualTo(5L);
    assertThat(((TextMessage) message).getText()).isEqualTo("hello");
  }

  /** Liberty's own messaging has them too. */
  @Test
  void batchesAreSentInLocalTransactions() throws JMSException {
    sender.send(OutboxMessage.to("captured").text("hello"));
    assertThat(((TextMessage) Broker.receive("jms/captured")).getText()).isEqualTo("hello");

    eventually(
        () ->
            assertThat(Log.ofServer().lines("OBX0017", "in one local JMS transaction"))
                .isNotEmpty());
  }

  @Test
  void aPlainMessageHasOnlyWhatIsKnown() throws JMSException {
    sender.send(OutboxMessage.to("captured").text("hello"));

    Message message = Broker.receive("jms/captured");

    assertThat(propertiesOf(message))
        .containsExactlyInAnyOrder(
            "OutboxMessageId", "OutboxSource", "OutboxContentType", "OutboxCreatedAt");
    assertThat(message.getJMSType()).isNull();
    assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
  }

  @Test
  void octetsTravelAsABytesMessage() throws JMSException {
    byte[] octets = {0, 1, -1, 127, -128};
    sender.send(OutboxMessage.to("captured").bytes(octets));

    BytesMessage message = (BytesMessage) Broker.receive("jms/captured");

    assertThat(message.getBody(byte[].class)).isEqualTo(octets);
    assertThat(message.getStringProperty("OutboxContentType"))
        .isEqualTo("application/octet-stream");
  }

  /** An object to serialise. */
  public record Price(String currency, int cents) {}

  @Test
  void anObjectTravelsAsJson() throws JMSException {
    sender.send(OutboxMessage.to("captured").json(new Price("EUR", 1999)));

    TextMessage message = (TextMessage) Broker.receive("jms/captured");

    assertThat(message.getText()).isEqualTo("{\"cents\":1999,\"currency\":\"EUR\"}");
    assertThat(message.getStringProperty("OutboxContentType")).isEqualTo("application/json");
  }

  @Test
  void textOfEveryScriptArrivesUnharmed() throws JMSException {
    String text = "Grüße, 你好, 🚚\nsecond line\ttab \"quoted\" 'and' \\";
    sender.send(OutboxMessage.to("captured").aggregate("Ünit", "№ 1").text(text));

    TextMessage message = (TextMessage) Broker.receive("jms/captured");

    assertThat(message.getText()).isEqualTo(text);
    assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("Ünit/№ 1");
  }

  @Test
  void anOrderingKeyOfTheCallersReplacesTheAggregate() throws JMSException {
    sender.send(OutboxMessage.to("captured").aggregate("Order", 1).orderedBy("eu").text("a"));
    assertThat(Broker.receive("jms/captured").getStringProperty("JMSXGroupID")).isEqualTo("eu");

    sender.send(OutboxMessage.to("captured").aggregate("Order", 1).unordered().text("b"));
    assertThat(Broker.receive("jms/captured").getStringProperty("JMSXGroupID")).isNull();
  }

  @Test
  void anIdOfTheCallersIsTheMessageId() throws JMSException {
    UUID id = UUID.randomUUID();
    assertThat(sender.send(OutboxMessage.to("captured").id(id).text("a"))).isEqualTo(id);
    Invariants.nothingLostNothingDoubled(List.of(id), Broker.receive("jms/captured", 1));
  }

  @Test
  void aTraceTravels() throws JMSException {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    sender.send(OutboxMessage.to("captured").trace(parent, "congo=t61rcWkgMzE").text("x"));

    Message message = Broker.receive("jms/captured");
    assertThat(message.getStringProperty(OutboxProperties.TRACE_PARENT)).isEqualTo(parent);
    assertThat(message.getStringProperty(OutboxProperties.TRACE_STATE))
        .isEqualTo("congo=t61rcWkgMzE");
  }

  @Test
  void aMalformedTraceIsNoReasonToLoseAMessage() throws JMSException {
    sender.send(OutboxMessage.to("captured").trace("00-garbage", "a=1").text("x"));

    Message message = Broker.receive("jms/captured");
    assertThat(message.propertyExists(OutboxProperties.TRACE_PARENT)).isFalse();
    assertThat(message.propertyExists(OutboxProperties.TRACE_STATE)).isFalse();
  }

  @Test
  void aReferenceNeedsALoader() {
    assertThatThrownBy(() -> sender.send(OutboxMessage.to("captured").reference("t", 1)))
        .hasRootCauseInstanceOf(MessageRefusedException.class)
        .rootCause()
        .hasMessageContaining("no CDI bean that implements io.postbox.outbox.PayloadLoader");
  }

  @Test
  void aMessageWithoutPayloadIsRefused() {
    assertThatThrownBy(() -> sender.send(OutboxMessage.to("captured").event("OrderPlaced")))
        .hasRootCauseInstanceOf(MessageRefusedException.class)
        .rootCause()
        .hasMessageContaining("it has no payload: call text, bytes, json or reference")
        .hasMessageContaining("OrderPlaced");
  }

  @SuppressWarnings("unchecked") // JMS has no generics
  private static List<String> propertiesOf(Message message) throws JMSException {
    List<String> names = new ArrayList<>(Collections.list(message.getPropertyNames()));
    names.removeIf(name -> name.startsWith("JMSX") || name.startsWith("JMS_"));
    return names;
  }
}
