package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import io.postbox.inbox.jms.FakeBroker.Sent;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.MessageId.Known;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.jms.TemporaryQueueOfArtemis;
import org.junit.jupiter.api.Test;

class JmsRouteTest {
  private static final Consumer BY_JMS_ID = new Consumer("c", IdFrom.JMS_MESSAGE_ID, "");

  private final FakeBroker broker = new FakeBroker();
  private int outside;
  private long nanos = Long.MAX_VALUE; // a clock may overflow
  private final Providers providers =
      new Providers(
          task -> {
            outside++;
            task.run();
          },
          () -> nanos);
  private final Queue queue = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "Q");
  private final Topic topic = FakeBroker.fake(Topic.class, (proxy, method, arguments) -> "T");
  private final FakeMessage received =
      FakeMessage.object()
          .header("JMSMessageID", "ID:1")
          .header("JMSDestination", queue)
          .header("JMSPriority", 7)
          .header("JMSRedelivered", true)
          .with("key", (short) 5)
          .with("JMSXDeliveryCount", 2);

  @Test
  void theDeadQueueGetsTheMessageItselfUnchanged() throws JMSException {
    Queue dead = bindDeadQueue();
    received
        .header("JMSExpiration", System.currentTimeMillis() + 4_000)
        .with("InboxAttempt", 999)
        .unreadable(new AssertionError("its body was looked at"));
    Message message = received.as(Message.class);

    assertThat(route(message).canForward()).isTrue();
    route(message).forward();

    Sent sent = broker.sent().get(0);
    assertThat(sent.message()).isSameAs(message);
    assertThat(sent.to()).isSameAs(dead);
    assertThat(sent.options()).containsExactly(DeliveryMode.PERSISTENT, 7, 0L);
    assertThat(sent.properties()).containsEntry("InboxAttempt", 999);
    assertThat(broker.open()).isZero();
  }

  @Test
  void aMissingDeadQueueIsNamed() {
    assertThatThrownBy(() -> route(received.as(Message.class)).forward())
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("could not be forwarded to its dead queue")
        .hasMessageContaining("jms/dead");
  }

  @Test
  void aReplyIsRecognisedByWhatTheRequestSays() throws JMSException {
    assertThat(route(received.as(Message.class)).wantsReply()).isFalse();
    TemporaryQueue temporary = temporary("t-1");

    received.header("JMSReplyTo", temporary);
    route(received.as(Message.class)).reply("done");
    received.with("InboxRequestId", "ID:0");
    route(received.as(Message.class)).reply("done");
    route(received.provenBy(PROOFS, BY_JMS_ID).as(Message.class)).reply("done");
    route(received.header("JMSCorrelationID", "c-1").as(Message.class)).reply("done");

    List<String> recognised = new ArrayList<>();
    for (Sent sent : broker.sent()) {
      assertThat(((TextMessage) sent.message()).getText()).isEqualTo("done");
      assertThat(sent.to()).isSameAs(temporary);
      recognised.add(sent.message().getJMSCorrelationID());
    }
    assertThat(recognised).containsExactly("ID:1", "ID:1", "ID:0", "c-1");
  }

  @Test
  void aReplyGoesToNoQueueThatOnlyItsSenderNames() {
    JmsRoute route = route(received.header("JMSReplyTo", queue).as(Message.class));

    assertThat(route.wantsReply()).isTrue();
    assertThat(route.mayReply()).isFalse();
    assertThatThrownBy(() -> route.reply("done"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue:Q");
    assertThat(broker.sent()).isEmpty();
  }

  @Test
  void aReplyGoesToAQueueThatIsListedAndExpires() throws JMSException {
    Message message = received.header("JMSReplyTo", queue).as(Message.class);
    Replies replies = new Replies(false, Set.of("queue:Q", "topic:T"), Duration.ofMinutes(5));

    replying(message, replies).reply("done");
    replying(received.header("JMSReplyTo", topic).as(Message.class), replies).reply("done");

    assertThat(broker.sent())
        .extracting(sent -> FakeContext.name(sent.to()))
        .containsExactly("queue:Q", "topic:T");
    assertThat(broker.sent().get(0).to()).as("made anew, from its name alone").isNotSameAs(queue);
    assertThat(broker.sent().get(0).options())
        .containsExactly(DeliveryMode.PERSISTENT, 4, Duration.ofMinutes(5).toMillis());
    Message other = received.header("JMSReplyTo", temporary("t-1")).as(Message.class);
    assertThat(replying(other, replies).mayReply()).as("temporary, and that is not").isFalse();
  }

  @Test
  void aReplyToThatCannotBeReadKeepsNoMessageFromBeingHandled() throws JMSException {
    Queue unreadable =
        FakeBroker.fake(
            Queue.class,
            (proxy, method, arguments) -> {
              throw new JMSException("no such prefix");
            });
    Message message = received.header("JMSReplyTo", unreadable).as(Message.class);

    assertThat(read(BY_JMS_ID, message).replyTo()).isNull();
    assertThat(route(message).wantsReply()).isTrue();
    assertThat(route(message).mayReply()).isFalse();
  }

  private Queue bindDeadQueue() {
    Queue dead = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "D");
    broker.bind("jms/dead", dead);
    return dead;
  }

  private static TemporaryQueue temporary(String name) {
    return FakeBroker.fake(TemporaryQueue.class, (proxy, method, arguments) -> name);
  }

  private JmsRoute replying(Message message, Replies replies) {
    return new JmsRoute(
        BY_JMS_ID,
        message,
        broker.names(Optional.empty(), replies),
        PROOFS,
        Runnable::run,
        providers);
  }

  @Test
  void theNextConsumerOfTheDeliveryReadsTheMessageAsItWasReceived() throws JMSException {
    bindDeadQueue();
    received
        .with("InboxAttempt", 2)
        .with("InboxMessageId", "ID:0")
        .provenBy(PROOFS, BY_JMS_ID)
        .header("JMSReplyTo", queue)
        .header("JMSTimestamp", 11L)
        .header("JMSDeliveryTime", 12L)
        .header("JMSExpiration", Long.MAX_VALUE)
        .header("JMSDeliveryMode", DeliveryMode.NON_PERSISTENT);
    Message message = received.as(Message.class);

    route(message).forward();
    assertIsAsReceived(message);

    broker.refuse(new JMSException("queue full"));
    assertThatThrownBy(() -> route(message).forward()).hasMessageContaining("queue full");
    assertIsAsReceived(message);
  }

  private void assertIsAsReceived(Message message) throws JMSException {
    Delivery delivery = read(BY_JMS_ID, message);
    assertThat(delivery.history()).isEqualTo(new History(true, 2, 0));
    assertThat(delivery.id()).isEqualTo(new Known("ID:0"));
    assertThat(message.getObjectProperty("InboxRequestId")).isNull();
    assertThat(message.getObjectProperty("key")).isEqualTo((short) 5);
    assertThat(message.getJMSMessageID()).isEqualTo("ID:1");
    assertThat(message.getJMSDestination()).isSameAs(queue);
    assertThat(message.getJMSTimestamp()).isEqualTo(11);
    assertThat(message.getJMSDeliveryTime()).isEqualTo(12);
    assertThat(message.getJMSExpiration()).isEqualTo(Long.MAX_VALUE);
    assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(message.getJMSPriority()).isEqualTo(7);
  }

  @Test
  void headersThatCannotBePutBackAreLoggedAndFailNothing() throws JMSException {
    bindDeadQueue();
    Message message = received.keepingItsHeaders().as(Message.class);

    try (LogLines lines = new LogLines()) {
      route(message).forward();

      assertThat(lines.all()).hasSize(1);
      assertThat(lines.all().get(0))
          .contains("IBX0088", "'c'", "JMSMessageID", "JMSDestination", "a header")
          .doesNotContain("JMSRedelivered", "InboxAttempt", "JMSXDeliveryCount");
    }
    assertThat(broker.sent()).hasSize(1);
    assertThat(read(BY_JMS_ID, message).history()).isEqualTo(new History(true, 0, 0));
  }

  /** Where the name of its destination means another one, or none. */
  @Test
  void aRequestFromAnotherProviderGetsNoReplyFromThisOne() {
    received.header("JMSReplyTo", temporary("t-1"));
    try (LogLines lines = new LogLines()) {
      JmsRoute foreign = route(received.ofAnotherProvider());
      assertThat(foreign.wantsReply()).isTrue();
      assertThat(foreign.mayReply()).as("nor is it stored as allowed").isFalse();
      assertThat(foreign.mayReply()).isFalse();
      assertThat(foreign.whyNoReply()).isEqualTo(ReplyRefused.Why.ANOTHER_PROVIDER);
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0141 ");
    }
    assertThat(outside).as("in no transaction, and once").isOne();
    assertThat(route(received.as(Message.class)).mayReply()).as("its own").isTrue();
    assertThat(broker.open()).isZero();
  }

  @Test
  void aBrokerThatIsAwayIsNotAskedByEachRequestWhoseItIs() {
    received.header("JMSReplyTo", temporary("t-1"));
    Object back = broker.names(Optional.empty()).find("jms/cf", ConnectionFactory.class);
    broker.bind(
        "jms/cf",
        FakeBroker.fake(
            ConnectionFactory.class,
            (proxy, method, arguments) -> {
              throw new JMSException("AMQ219007: Cannot connect to server(s)");
            }));
    for (int asked = 1; asked <= 5; asked++) {
      assertThat(route(received.ofAnotherProvider()).mayReply()).as("as far as known").isTrue();
      assertThat(route(received.ofAnotherProvider()).mayReply()).isTrue();
      assertThat(outside).isEqualTo(asked);
      nanos += Duration.ofMillis(500L << asked - 1).toNanos();
    }

    broker.bind("jms/cf", back);
    assertThat(route(received.ofAnotherProvider()).mayReply()).isFalse();
    assertThat(outside).isEqualTo(6);
  }

  @Test
  void aMessageOfAQueueCanBeSentAgainAndNothingIsSentToKnowThat() {
    Message message = received.as(Message.class);

    assertThat(route(message).canBeSentAgain()).isTrue();
    assertThat(route(message).canBeSentAgain()).isTrue();

    assertThat(outside).as("asked once whose the connection factory is").isOne();
    assertThat(received.touches).as("nor is its body read").isZero();
    assertThat(broker.sent()).isEmpty();
    assertThat(broker.open()).isZero();
  }

  @Test
  void aSubscriptionNeedsAQueueOfItsOwn() {
    Message message = received.header("JMSDestination", topic).as(Message.class);

    assertThat(route(message).canBeSentAgain()).isFalse();
    assertThat(withRetryDestination(message).canBeSentAgain()).isTrue();
    assertThat(route(received.header("JMSDestination", queue).as(Message.class)).canBeSentAgain())
        .isTrue();
  }

  /** What a copy could not have, it has lost before. */
  @Test
  void aCopyCanBeHandedBackUnlessASubscriptionHasIt() {
    received.with("content-type", "x");
    assertThat(route(received.as(Message.class)).canBeHandedBack()).isTrue();
    Message published = received.header("JMSDestination", topic).as(Message.class);

    assertThat(route(published).canBeHandedBack()).isFalse();
    assertThat(withRetryDestination(published).canBeHandedBack()).isTrue();
    assertThat(outside).as("it need not be known whose it is").isZero();
  }

  /** Its name is stored, and where that is unknown no copy can be sent. */
  @Test
  void aQueueWhoseNameCannotBeStoredIsNoWayBack() {
    for (int length : new int[] {494, 495}) {
      Queue named = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "q".repeat(length));
      Message message = received.header("JMSDestination", named).as(Message.class);

      assertThat(route(message).canBeSentAgain()).as("%s", length).isEqualTo(length == 494);
      assertThat(withRetryDestination(message).canBeSentAgain()).isTrue();
    }
  }

  @Test
  void aMessageOfAnotherProviderCannotBeSentAgainWithoutARetryDestination() throws JMSException {
    Message foreign = received.ofAnotherProvider();

    try (LogLines lines = new LogLines()) {
      assertThat(route(foreign).canBeSentAgain()).isFalse();
      assertThat(route(foreign).canBeSentAgain()).isFalse();
      assertThat(lines.all()).hasSize(1);
      assertThat(lines.all().get(0))
          .contains("IBX0141", "'c'", "jms/cf", "postbox.inbox.consumer.c.connection-factory");
    }
    assertThat(withRetryDestination(foreign).canBeSentAgain()).isTrue();
    foreign.setJMSReplyTo(queue);
    assertThat(withRetryDestination(foreign).canBeSentAgain())
        .as("at this broker nobody waits for its reply")
        .isFalse();
    assertThat(route(received.as(Message.class)).canBeSentAgain()).as("its own").isTrue();
    assertThat(broker.open()).isZero();
  }

  /** Whether its name leads back is not known before the broker is there. */
  @Test
  void aMessageCannotBeSentAgainWhileTheProviderOfTheConnectionFactoryIsUnknown() {
    Message message = received.as(Message.class);
    Object back = broker.names(Optional.empty()).find("jms/cf", ConnectionFactory.class);
    broker.bind("jms/cf", "no connection factory");

    assertThat(route(message).canBeSentAgain()).isFalse();
    assertThat(withRetryDestination(message).canBeSentAgain()).isTrue();

    broker.bind("jms/cf", back);
    assertThat(route(message).canBeSentAgain()).as("it was asked just now").isFalse();
    nanos += Duration.ofSeconds(30).toNanos();
    assertThat(route(message).canBeSentAgain()).isTrue();
  }

  /** JMS can read it, as messages of other protocols have such, and a copy could not have it. */
  @Test
  void aMessageWithAPropertyThatJmsCannotSetIsLeftToTheBroker() {
    received.with("content-type", "x");

    assertThat(route(received.as(Message.class)).canBeSentAgain()).isFalse();
    assertThat(withRetryDestination(received.as(Message.class)).canBeSentAgain()).isFalse();
  }

  @Test
  void aMessageWhoseReplyToCannotBeFoundAgainByItsNameIsLeftToTheBroker() {
    Queue unnameable = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "r".repeat(495));
    assertThat(asking(queue).canBeSentAgain()).isTrue();
    assertThat(asking(topic).canBeSentAgain()).isTrue();
    assertThat(asking(temporary("t-1")).canBeSentAgain()).as("not each provider's").isFalse();
    assertThat(asking(new TemporaryQueueOfArtemis("t-1")).canBeSentAgain()).isTrue();
    assertThat(asking(unnameable).canBeSentAgain()).as("its name is not stored").isFalse();
  }

  private JmsRoute asking(Destination replyTo) {
    return route(received.header("JMSReplyTo", replyTo).as(Message.class));
  }

  private JmsRoute withRetryDestination(Message message) {
    return new JmsRoute(
        BY_JMS_ID,
        message,
        broker.names(Optional.of("jms/retry")),
        PROOFS,
        Runnable::run,
        providers);
  }

  @Test
  void aMessageSaysHowLongItLives() {
    assertThat(route(received.as(Message.class)).timeLeft()).isEmpty();

    received.header("JMSExpiration", System.currentTimeMillis() + 60_000);
    assertThat(route(received.as(Message.class)).timeLeft())
        .get(DURATION)
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));

    received.header("JMSExpiration", System.currentTimeMillis() - 60_000);
    assertThat(route(received.as(Message.class)).timeLeft()).as("ended").contains(Duration.ZERO);
  }

  /** A copy's reply destination is created by its name, and no longer looks temporary. */
  @Test
  void aProvenCopySaysThatItsReplyMayGoToATemporaryDestination() throws JMSException {
    Replies temporaries = new Replies(true, Set.of(), Duration.ZERO);
    Replies none = new Replies(false, Set.of(), Duration.ZERO);
    received.header("JMSReplyTo", queue).with("InboxAttempt", 1).with("InboxMayReply", true);

    JmsRoute unproven = replying(received.as(Message.class), temporaries);
    assertThat(unproven.mayReply()).as("anybody can say so").isFalse();
    assertThat(unproven.whyNoReply()).isEqualTo(ReplyRefused.Why.NOT_ALLOWED);

    Message copy = received.provenBy(PROOFS, BY_JMS_ID).as(Message.class);
    assertThat(replying(copy, none).mayReply()).as("not any more").isFalse();
    replying(copy, temporaries).reply("done");
    assertThat(broker.sent()).singleElement().satisfies(it -> assertThat(it.to()).isSameAs(queue));

    Message foreign = received.ofAnotherProvider();
    assertThat(replying(foreign, temporaries).mayReply()).isFalse();
    assertThat(replying(foreign, temporaries).whyNoReply())
        .isEqualTo(ReplyRefused.Why.ANOTHER_PROVIDER);
  }

  @Test
  void aProvenCopyThatSaysNothingOfRepliesGetsNoneToAQueueThatIsNotListed() throws JMSException {
    for (Object word : new Object[] {false, "true", 1}) {
      Message copy =
          FakeMessage.text("x")
              .header("JMSMessageID", "ID:1")
              .header("JMSReplyTo", queue)
              .with("InboxAttempt", 1)
              .with("InboxMayReply", word)
              .provenBy(PROOFS, BY_JMS_ID)
              .as(Message.class);
      assertThat(route(copy).mayReply()).as("%s", word).isFalse();
    }
    received.header("JMSReplyTo", queue).with("InboxAttempt", 1).provenBy(PROOFS, BY_JMS_ID);
    assertThat(route(received.as(Message.class)).mayReply()).isFalse();
  }

  @Test
  void whatIsSentWaitsForItsTime() {
    bindDeadQueue();
    List<Runnable> later = new ArrayList<>();
    JmsRoute route =
        new JmsRoute(
            BY_JMS_ID,
            received.header("JMSReplyTo", temporary("t-1")).as(Message.class),
            broker.names(Optional.empty()),
            PROOFS,
            later::add,
            providers);

    route.forward();
    route.reply("done");

    assertThat(broker.sent()).isEmpty();
    later.forEach(Runnable::run);
    assertThat(broker.sent()).hasSize(2);
  }

  @Test
  void aMessageOfAnotherProviderIsNotForwarded() throws JMSException {
    bindDeadQueue();
    Message foreign = received.ofAnotherProvider();

    try (LogLines lines = new LogLines()) {
      assertThat(route(foreign).canForward()).as("as far as is known").isTrue();
      for (int deliveries = 1; deliveries <= 2; deliveries++) {
        assertThatThrownBy(() -> route(foreign).forward())
            .isInstanceOf(InboxException.class)
            .hasMessageContaining(
                "another JMS provider than that of the connection factory jms/cf");
        assertThat(route(foreign).canForward()).isFalse();
      }
      assertThat(lines.all()).singleElement().asString().contains("IBX0141");
    }
    assertThat(broker.sent()).isEmpty();
    assertThat(broker.open()).isZero();
    assertThat(read(BY_JMS_ID, foreign).history()).isEqualTo(new History(true, 0, 0));
  }

  @Test
  void aFailureNamesTheMessageAndWhereToLook() {
    bindDeadQueue();
    broker.refuse(new JMSException("queue full"));
    JmsRoute route = route(received.as(Message.class));
    assertThatThrownBy(route::forward)
        .isInstanceOf(InboxException.class)
        .hasMessage(
            "A message for the consumer 'c' (JMSMessageID ID:1) could not be forwarded to its dead"
                + " queue: queue full. It is not acknowledged, and the broker redelivers it. Check"
                + " the connection factory jms/cf and the broker.");
    assertThat(broker.open()).isZero();

    broker.bind("jms/dead", "text");
    assertThatThrownBy(route::forward)
        .hasMessageContaining("jms/dead is not a jakarta.jms.Destination but text");
  }

  private static Delivery read(Consumer consumer, Message message) throws JMSException {
    return DeliveryReader.read(
        consumer,
        message,
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }

  private JmsRoute route(Message message) {
    return new JmsRoute(
        BY_JMS_ID, message, broker.names(Optional.empty()), PROOFS, Runnable::run, providers);
  }
}
