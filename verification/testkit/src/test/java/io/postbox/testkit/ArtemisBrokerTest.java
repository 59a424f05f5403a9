package io.postbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.testkit.BrokerSettings.WhenFull;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class ArtemisBrokerTest {
  @TempDir Path data;

  @Test
  void sentMessagesAreThereAfterAKill() {
    try (ArtemisBroker broker = started(BrokerSettings.of(List.of("A", "B")))) {
      send(broker, "A", 3);

      broker.kill();
      assertThatThrownBy(broker::counts).isInstanceOf(IllegalStateException.class);
      broker.start();
      broker.awaitUp();

      assertThat(broker.counts()).isEqualTo(Map.of("A", 3L, "B", 0L));
    }
  }

  @Test
  void aFrozenBrokerDoesNotAnswerAndGoesOnLater() {
    try (ArtemisBroker broker = started(BrokerSettings.of(List.of("A")))) {
      send(broker, "A", 1);

      broker.freeze();
      assertThatThrownBy(broker::counts).isInstanceOf(IllegalStateException.class);
      broker.thaw();

      assertThat(broker.counts()).isEqualTo(Map.of("A", 1L));
    }
  }

  @Test
  void sentMessagesCanBeTaken() {
    try (ArtemisBroker broker = started(BrokerSettings.of(List.of("A")))) {
      broker.send("A", Map.of("Name", "one"));
      broker.send("A", Map.of());
      broker.send("A", Map.of("Name", "three"));

      assertThat(broker.take("A", "Name")).containsExactly("one", "", "three");
      assertThat(broker.counts()).isEqualTo(Map.of("A", 0L));
    }
  }

  @Test
  void consumersAreCounted() {
    try (ArtemisBroker broker = started(BrokerSettings.of(List.of("A", "B")));
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.settings().url());
        JMSContext context = factory.createContext(BrokerSettings.USER, BrokerSettings.USER)) {
      context.createConsumer(context.createQueue("A"));

      assertThat(broker.consumers()).isEqualTo(Map.of("A", 1L, "B", 0L));
    }
  }

  @Test
  void aFullQueueRefuses() {
    BrokerSettings settings = BrokerSettings.of(List.of("A")).withLimit("A", 1, WhenFull.FAIL);
    try (ArtemisBroker broker = started(settings)) {
      assertThatThrownBy(() -> send(broker, "A", 3)).hasMessageContaining("full");
    }
  }

  @Test
  void aSecuredBrokerKnowsItsUserAndKeepsAQueueForReading() {
    BrokerSettings settings =
        BrokerSettings.of(List.of("A", "READ-ONLY")).withSecurity("READ-ONLY");
    try (ArtemisBroker broker = started(settings)) {
      send(broker, "A", 1);
      assertThat(broker.counts()).isEqualTo(Map.of("A", 1L, "READ-ONLY", 0L));
      assertThatThrownBy(() -> send(broker, "READ-ONLY", 1)).hasMessageContaining("SEND");
      assertThatThrownBy(() -> send(broker, "A", 1, "nobody"))
          .isInstanceOf(JMSRuntimeException.class);
    }
  }

  private ArtemisBroker started(BrokerSettings settings) {
    ArtemisBroker broker = new ArtemisBroker(data, settings);
    broker.start();
    broker.awaitUp();
    return broker;
  }

  private static void send(ArtemisBroker broker, String queue, int messages) {
    send(broker, queue, messages, BrokerSettings.USER);
  }

  private static void send(ArtemisBroker broker, String queue, int messages, String user) {
    try (ActiveMQConnectionFactory factory =
            new ActiveMQConnectionFactory(broker.settings().url());
        JMSContext context = factory.createContext(user, user)) {
      for (int number = 0; number < messages; number++) {
        context.createProducer().send(context.createQueue(queue), "text");
      }
    }
  }
}
