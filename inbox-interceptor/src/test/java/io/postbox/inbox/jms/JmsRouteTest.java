package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JmsRouteTest {
  private static final DelayedRetry AGAIN = new DelayedRetry("id-1", Duration.ofSeconds(5), 3, 1);

  private static final Consumer BY_JMS_ID = new Consumer("c", IdFrom.JMS_MESSAGE_ID, "");
  private static final Consumer BY_PROPERTY = new Consumer("d", IdFrom.PROPERTY, "orderNo");

  private final FakeBroker broker = new FakeBroker();
  private final List<End> ends = new ArrayList<>();
  private final ResentMessages resent = new ResentMessages(ends::add);
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
  void theReceivedMessageItselfGoesBackToWhereItCameFrom() throws JMSException {
    Message message = received.as(Message.class);

    route(message).sendRetry(AGAIN, () -> {});

    Sent sent = broker.sent().get(0);
    assertThat(sent.message()).isSameAs(message);
    assertThat(sent.to()).isSameAs(queue);
    assertThat(sent.delay()).isEqualTo(5_000);
    assertThat(sent.options()).containsExactly(DeliveryMode.PERSISTENT, 7, 0L);
    Map<String, Object> properties = new HashMap<>(sent.properties());
    assertThat(properties.remove("InboxProof")).asString().startsWith("1.copy.");
    assertThat(properties)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("key", (short) 5, "InboxAttempt", 3, "InboxWaits", 1, "InboxMessageId", "ID:1"));
    assertThat(sent.redelivered()).isFalse();
    assertThat(broker.open()).isZero();
  }

  @Test
  void aCopyOfWhatIsForOneConsumerAloneIsForThatOneToo() throws JMSException {
    received.with("InboxOnlyFor", "shipping").provenBy(PROOFS, BY_JMS_ID);

    route(received.as(Message.class)).sendRetry(AGAIN, () -> {});

    Sent sent = broker.sent().get(0);
    assertThat(sent.properties()).containsEntry("InboxOnlyFor", "shipping");
    assertThat(read(BY_JMS_ID, sent.copy().as(Message.class)).id())
        .isEqualTo(new OfAnother("shipping"));
  }

  @Test
  void aCopyProvesNothingThatSomebodyElseSaid() throws JMSException {
    received
        .header("JMSReplyTo", queue)
        .with("InboxOnlyFor", "shipping")
        .with("InboxAttempt", 999_999)
        .with("InboxMessageId", "ID:theirs")
        .with("InboxRequestId", "theirs")
        .with("InboxProof", "1.copy.AAAA.AAAA");

    route(received.as(Message.class)).sendRetry(AGAIN, () -> {});

    Sent sent = broker.sent().get(0);
    assertThat(sent.properties())
        .doesNotContainKey("InboxOnlyFor")
        .containsEntry("InboxAttempt", 3)
        .containsEntry("InboxMessageId", "ID:1")
        .containsEntry("InboxRequestId", "ID:1");
    assertThat(read(BY_JMS_ID, sent.copy().as(Message.class)).id()).isEqualTo(new Known("ID:1"));
  }

  @Test
  void aSubscriptionNeedsAQueueOfItsOwn() {
    received.header("JMSDestination", topic);
    Queue retry = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "R");
    broker.bind("jms/retry", retry);
    JmsRoute route =
        new JmsRoute(
            BY_JMS_ID,
            received.as(Message.class),
            broker.names(Optional.of("jms/retry")),
            PROOFS,
            Runnable::run,
            resent,
            providers);

    assertThat(route(received.as(Message.class)).canSendRetry()).isFalse();
    assertThat(route.canSendRetry()).isTrue();
    route.sendRetry(AGAIN, () -> {});
    assertThat(broker.sent().get(0).to()).isSameAs(retry);
  }

  @Test
  void theDeadQueueGetsTheMessageItselfUnchanged() throws JMSException {
    Queue dead = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "D");
    broker.bind("jms/dead", dead);
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
  void anUnwritableMessageIsLeftToTheBroker() {
    assertThat(route(received.as(Message.class)).canSendRetry()).isTrue();
    assertThat(route(received.with("content-type", "x").as(Message.class)).canSendRetry())
        .isFalse();
  }

  @Test
  void aMessageDoesNotExpireUnseenWhileItIsAway() {
    received.header("JMSExpiration", System.currentTimeMillis() + 4_000);

    route(received.as(Message.class)).sendRetry(AGAIN, () -> {});

    Sent sent = broker.sent().get(0);
    assertThat(sent.delay()).isBetween(1L, 2_000L);
    assertThat((long) sent.options().get(2)).isBetween(1L, 4_000L);
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
        resent,
        providers);
  }

  @Test
  void aCopyOfARequestKeepsWhatItsReplyIsRecognisedBy() throws JMSException {
    Message message = received.header("JMSReplyTo", queue).as(Message.class);

    route(message).sendRetry(AGAIN, () -> {});

    assertThat(broker.sent().get(0).properties()).containsEntry("InboxRequestId", "ID:1");
  }

  @Test
  void aCopyIsKnownByTheFirstJmsMessageIdWhoeverSendsIt() throws JMSException {
    Message first = received.with("orderNo", "7").as(Message.class);
    assertThat(read(BY_JMS_ID, first).id()).isEqualTo(new Known("ID:1"));

    for (String idOfTheSender : List.of("7", "")) {
      Message message = first;
      for (int times = 1; times <= 2; times++) {
        route(message)
            .sendRetry(new DelayedRetry(idOfTheSender, Duration.ofSeconds(5), times, 0), () -> {});
        message = broker.sent().get(broker.sent().size() - 1).copy().as(Message.class);
        assertThat(read(BY_JMS_ID, message).id()).isEqualTo(new Known("ID:1"));
        assertThat(read(BY_PROPERTY, message).id()).isEqualTo(new Known("7"));
      }
      ends.forEach(end -> end.ended(false, null)); // so that the first can be sent once more
    }
    assertThat(broker.sent()).hasSize(4);
  }

  @Test
  void aForeignPropertyOfTheSameNameIsNotTheFirstId() throws JMSException {
    Message message = received.with("InboxMessageId", "theirs").as(Message.class);

    route(message).sendRetry(AGAIN, () -> {});

    Message copy = broker.sent().get(0).copy().as(Message.class);
    assertThat(read(BY_JMS_ID, copy).id()).isEqualTo(read(BY_JMS_ID, message).id());
    assertThat(read(BY_JMS_ID, copy).id()).isEqualTo(new Known("ID:1"));
  }

  @Test
  void theNextConsumerOfTheDeliveryReadsTheMessageAsItWasReceived() throws JMSException {
    received
        .with("InboxAttempt", 2)
        .with("InboxWaits", 0)
        .with("InboxMessageId", "ID:0")
        .provenBy(PROOFS, BY_JMS_ID)
        .header("JMSReplyTo", queue)
        .header("JMSTimestamp", 11L)
        .header("JMSDeliveryTime", 12L)
        .header("JMSExpiration", Long.MAX_VALUE)
        .header("JMSDeliveryMode", DeliveryMode.NON_PERSISTENT);
    Message message = received.as(Message.class);

    route(message).sendRetry(AGAIN, () -> {});
    assertIsAsReceived(message);

    ends.forEach(end -> end.ended(false, null));
    broker.refuse(new JMSException("queue full"));
    assertThatThrownBy(() -> route(message).sendRetry(AGAIN, () -> {}))
        .hasMessageContaining("queue full");
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
    Message message = received.keepingItsHeaders().as(Message.class);

    try (LogLines lines = new LogLines()) {
      route(message).sendRetry(AGAIN, () -> {});

      assertThat(lines.all()).hasSize(1);
      assertThat(lines.all().get(0))
          .contains("IBX0088", "'c'", "JMSMessageID", "JMSDestination", "a header")
          .doesNotContain("JMSRedelivered", "InboxAttempt", "JMSXDeliveryCount");
    }
    assertThat(broker.sent()).hasSize(1);
    assertThat(read(BY_JMS_ID, message).history()).isEqualTo(new History(true, 0, 0));
  }

  @Test
  void aCopyIsNotSentToTheBrokerOfAnotherProvider() throws JMSException {
    Message foreign = received.ofAnotherProvider();
    AtomicInteger defer = new AtomicInteger();

    try (LogLines lines = new LogLines()) {
      assertThat(route(foreign).canSendRetry()).as("as far as is known").isTrue();
      for (int deliveries = 1; deliveries <= 2; deliveries++) {
        assertThatThrownBy(() -> route(foreign).sendRetry(AGAIN, defer::incrementAndGet))
            .isInstanceOf(InboxException.class)
            .hasMessageContaining(
                "another JMS provider than that of the connection factory jms/cf");
        ends.forEach(end -> end.ended(false, null));
        assertThat(route(foreign).canSendRetry()).isFalse();
      }
      assertThat(lines.all()).hasSize(1);
      assertThat(lines.all().get(0))
          .contains("IBX0141", "'c'", "jms/cf", "postbox.inbox.consumer.c.connection-factory");
    }
    assertThat(broker.sent()).isEmpty();
    assertThat(defer).hasValue(2);
    assertThat(broker.open()).isZero();
    assertThat(read(BY_JMS_ID, foreign).history()).isEqualTo(new History(true, 0, 0));
    assertThat(route(received.as(Message.class)).canSendRetry()).as("its own").isTrue();
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
  void aRetryDestinationIsChosenByWhoeverSetsIt() {
    broker.bind("jms/retry", queue);
    JmsRoute route =
        new JmsRoute(
            BY_JMS_ID,
            received.ofAnotherProvider(),
            broker.names(Optional.of("jms/retry")),
            PROOFS,
            Runnable::run,
            resent,
            providers);

    route.sendRetry(AGAIN, () -> {});

    assertThat(broker.sent()).hasSize(1);
  }

  @Test
  void aDeferredRetryIsSentLater() {
    List<Runnable> later = new ArrayList<>();
    Message message = received.as(Message.class);

    new JmsRoute(
            BY_JMS_ID,
            message,
            broker.names(Optional.empty()),
            PROOFS,
            later::add,
            resent,
            providers)
        .sendRetry(AGAIN, () -> {});

    assertThat(broker.sent()).isEmpty();
    later.forEach(Runnable::run);
    assertThat(broker.sent()).hasSize(1);
  }

  @Test
  void severalConsumersOfOneDeliverySendOneCopyToEachPlace() {
    Queue retry = FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "R");
    broker.bind("jms/retry", retry);
    Message message = received.as(Message.class);
    JmsRoute elsewhere =
        new JmsRoute(
            BY_JMS_ID,
            message,
            broker.names(Optional.of("jms/retry")),
            PROOFS,
            Runnable::run,
            resent,
            providers);

    route(message).sendRetry(AGAIN, () -> {});
    route(message).sendRetry(AGAIN, () -> {});
    elsewhere.sendRetry(AGAIN, () -> {});
    elsewhere.sendRetry(AGAIN, () -> {});
    ends.forEach(end -> end.ended(true, null));
    route(message).sendRetry(AGAIN, () -> {});

    assertThat(broker.sent()).hasSize(2);
    assertThat(broker.sent().get(1).to()).isSameAs(retry);
    route(received.as(Message.class)).sendRetry(AGAIN, () -> {}); // another delivery
    assertThat(broker.sent()).hasSize(3);
  }

  @Test
  void whereItCameFromIsKnownToTheNextConsumerStill() throws JMSException {
    broker.bind("jms/retry", FakeBroker.fake(Queue.class, (proxy, method, arguments) -> "R"));
    Message message = received.as(Message.class);
    new JmsRoute(
            BY_JMS_ID,
            message,
            broker.names(Optional.of("jms/retry")),
            PROOFS,
            Runnable::run,
            resent,
            providers)
        .sendRetry(AGAIN, () -> {});

    assertThat(message.getJMSDestination()).isSameAs(queue);
    route(message).sendRetry(AGAIN, () -> {});
    assertThat(broker.sent().get(1).to()).isSameAs(queue);
  }

  @Test
  void aCopyThatWasNotCommittedDoesNotCount() {
    Message message = received.as(Message.class);

    route(message).sendRetry(AGAIN, () -> {});
    ends.get(0).ended(false, null);
    route(message).sendRetry(AGAIN, () -> {});

    assertThat(broker.sent()).hasSize(2);
  }

  @Test
  void aFailureNamesTheMessageAndWhereToLook() {
    broker.refuse(new JMSException("queue full"));
    AtomicInteger told = new AtomicInteger();
    assertThatThrownBy(
            () -> route(received.as(Message.class)).sendRetry(AGAIN, told::incrementAndGet))
        .isInstanceOf(InboxException.class)
        .hasMessage(
            "A message for the consumer 'c' (JMSMessageID ID:1) could not be resent: queue full. It"
                + " is not acknowledged, and the broker redelivers it. Check the connection factory"
                + " jms/cf and the broker.");
    assertThat(broker.open()).isZero();
    assertThat(told).hasValue(1);

    assertThatThrownBy(
            () ->
                new JmsRoute(
                        BY_JMS_ID,
                        received.as(Message.class),
                        broker.names(Optional.of("jms/none")),
                        PROOFS,
                        Runnable::run,
                        resent,
                        providers)
                    .sendRetry(AGAIN, () -> {}))
        .hasMessageContaining("There is no jakarta.jms.Destination at jms/none")
        .hasMessageContaining("the retry destination jms/none");
    broker.bind("jms/none", "text");
    assertThatThrownBy(
            () ->
                new JmsRoute(
                        BY_JMS_ID,
                        received.as(Message.class),
                        broker.names(Optional.of("jms/none")),
                        PROOFS,
                        Runnable::run,
                        resent,
                        providers)
                    .sendRetry(AGAIN, () -> {}))
        .hasMessageContaining("jms/none is not a jakarta.jms.Destination but text");
  }

  private static Delivery read(Consumer consumer, Message message) throws JMSException {
    return DeliveryReader.read(
        consumer,
        message,
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        PROOFS,
        Long.MAX_VALUE);
  }

  private JmsRoute route(Message message) {
    return new JmsRoute(
        BY_JMS_ID,
        message,
        broker.names(Optional.empty()),
        PROOFS,
        Runnable::run,
        resent,
        providers);
  }
}
