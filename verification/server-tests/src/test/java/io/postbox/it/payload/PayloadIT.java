package io.postbox.it.payload;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.OutboxMessage;
import jakarta.inject.Inject;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class PayloadIT {
  @Inject Sender sender;
  @Inject Invoices invoices;
  @Inject DeadLetters letters;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(PayloadIT.class, "payload", Archives.settings("payload"));
  }

  private static String row(String column, UUID id) {
    return Database.byDefault()
        .value("SELECT " + column + " FROM payload_outbox_message WHERE id = ?", id);
  }

  @Test
  void aReferenceIsLoadedByTheApplicationWhenItIsSent() throws JMSException {
    invoices.put("invoices/7", "{\"total\":1999}");
    sender.send(OutboxMessage.to("captured").reference("invoices", 7));

    Message message = Broker.receive("jms/captured");
    assertThat(message.getBody(String.class)).isEqualTo("{\"total\":1999}");
    assertThat(message.getStringProperty("OutboxContentType")).isEqualTo("application/json");
  }

  @Test
  void aMissingPayloadIsRetried() throws JMSException {
    UUID id = sender.send(OutboxMessage.to("captured").reference("invoices", "late"));
    eventually(() -> assertThat(row("last_error", id)).startsWith("sealed:"));

    invoices.put("invoices/late", "{}");
    assertThat(Broker.receive("jms/captured").getStringProperty("OutboxMessageId"))
        .isEqualTo(id.toString());
  }

  @Test
  void theRowsAreEncryptedAndTheMessagesAreNot() throws JMSException {
    UUID waits =
        sender.send(OutboxMessage.to("nowhere-yet").text("a secret").property("said", "a secret"));
    assertThat(row("payload_key", waits)).isEqualTo("2026-11");
    assertThat(row("COALESCE(payload_text, 'nothing')", waits)).isEqualTo("nothing");
    assertThat(row("headers", waits)).startsWith("{\"sealed\":").doesNotContain("a secret");

    sender.send(OutboxMessage.to("captured").text("a secret"));
    assertThat(Broker.receive("jms/captured").getBody(String.class)).isEqualTo("a secret");

    byte[] octets = "a secret".getBytes(StandardCharsets.UTF_8);
    sender.send(OutboxMessage.to("captured").bytes(octets));
    assertThat(((BytesMessage) Broker.receive("jms/captured")).getBody(byte[].class))
        .isEqualTo(octets);
  }

  @Test
  void aDelayedMessageArrivesNotBeforeItsMoment() throws JMSException {
    Instant moment = Instant.now().plusSeconds(2);
    sender.send(OutboxMessage.to("captured").notBefore(moment).text("patience"));
    sender.send(OutboxMessage.to("captured").text("at once"));

    assertThat(Broker.receive("jms/captured").getBody(String.class)).isEqualTo("at once");
    Message delayed = Broker.receive("jms/captured");
    assertThat(delayed.getBody(String.class)).isEqualTo("patience");
    assertThat(Instant.ofEpochMilli(delayed.getJMSTimestamp())).isAfterOrEqualTo(moment);
  }

  @Test
  void aMessageThatExpiresWithoutADestinationIsADeadLetter() {
    UUID id =
        sender.send(
            OutboxMessage.to("nowhere-at-all").expiresAfter(Duration.ofMillis(600)).text("x"));
    eventually(() -> assertThat(row("status", id)).isEqualTo("DEAD"));
    assertThat(row("last_error", id)).startsWith("sealed:");
    assertThat(letters.get(id).orElseThrow().lastError()).startsWith("expired: ");
    assertThat(row("attempts", id)).isEqualTo("0");
  }
}
