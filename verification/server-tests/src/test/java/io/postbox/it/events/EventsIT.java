package io.postbox.it.events;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Log;
import io.postbox.outbox.MessageDied;
import io.postbox.outbox.MessageEvent;
import io.postbox.outbox.MessageFailed;
import io.postbox.outbox.MessageSent;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ArquillianTest
class EventsIT {
  @Inject Sender sender;
  @Inject Seen seen;
  @Inject Observers observers;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        EventsIT.class,
        "observed",
        Archives.settings(
            "observed",
            "postbox.outbox.max-attempts",
            "3",
            "postbox.outbox.backoff.first",
            "1ms",
            "postbox.outbox.backoff.max",
            "1ms"));
  }

  @BeforeEach
  void theQueueIsEmpty() {
    Broker.drain("jms/captured");
  }

  private static List<UUID> ids(List<MessageEvent> events, String type) {
    return events.stream()
        .filter(event -> event.eventType().filter(type::equals).isPresent())
        .map(MessageEvent::id)
        .toList();
  }

  @Test
  void anObserverThatThrowsSeesEachMessageAndTheRelayGoesOn() {
    List<UUID> ids = sender.send("throwing", 20);

    Invariants.nothingLostNothingDoubled(ids, Broker.receive("jms/captured", 20));
    eventually(
        () -> {
          assertThat(ids(seen.byThrowing(), "throwing")).containsExactlyInAnyOrderElementsOf(ids);
          assertThat(ids(seen.byAsync(), "throwing"))
              .as("the asynchronous observer")
              .containsExactlyInAnyOrderElementsOf(ids);
        });
    assertThat(Log.ofServer().lines("OBX0038", "this observer always fails"))
        .as("logged once a minute at most")
        .hasSizeBetween(1, 2);
  }

  @Test
  void anObserverThatWaitsSeesEachMessageLaterAndTheRelayGoesOn() {
    List<UUID> ids = sender.send("slow", 20);

    Invariants.nothingLostNothingDoubled(ids, Broker.receive("jms/captured", 20));
    assertThat(seen.bySlow()).as("the observer still waits").isEmpty();
    eventually(() -> assertThat(Database.byDefault().count("observed_outbox_message")).isZero());

    observers.goOn();
    eventually(
        () -> assertThat(ids(seen.bySlow(), "slow")).containsExactlyInAnyOrderElementsOf(ids));
    assertThat(seen.bySlow())
        .allSatisfy(
            event -> {
              assertThat(event.destination()).isEqualTo("captured");
              assertThat(event.attempts()).isZero();
              assertThat(((MessageSent) event).waited()).isPositive();
            });
  }

  @Test
  void theEventsOfOneMessageComeInTheOrderInWhichTheyHappened() {
    UUID id = sender.sendPoison("poison");
    sender.send("beside", 1); // shows that the destination is not the one at fault

    eventually(() -> assertThat(ids(seen.byAsync(), "poison")).hasSize(4));
    List<MessageEvent> events =
        seen.byAsync().stream().filter(event -> event.id().equals(id)).toList();
    assertThat(events.subList(0, 3)).allMatch(MessageFailed.class::isInstance);
    assertThat(events.get(3)).isInstanceOf(MessageDied.class);
    assertThat(events).extracting(MessageEvent::attempts).containsExactly(1, 2, 3, 3);
    assertThat(events).allMatch(event -> event.orderingKey().filter("k"::equals).isPresent());
    assertThat(((MessageDied) events.get(3)).reason()).contains("nowhere");
    Database.byDefault().run("DELETE FROM observed_outbox_message WHERE id = ?", id);
    Database.byDefault().run("DELETE FROM observed_outbox_held_key WHERE head_id = ?", id);
  }

  @Test
  void anObserverInTheWarSeesThemToo() {
    List<UUID> ids = sender.send("web", 3);

    eventually(() -> assertThat(ids(seen.inWar(), "web")).containsExactlyInAnyOrderElementsOf(ids));
  }
}
