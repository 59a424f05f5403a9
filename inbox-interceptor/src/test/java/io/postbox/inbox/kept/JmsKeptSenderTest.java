package io.postbox.inbox.kept;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.jms.FakeContext;
import io.postbox.inbox.jms.FakeMessage;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.ops.NotSentException;
import io.postbox.inbox.ops.Outgoing;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JmsKeptSenderTest {
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.JMS_MESSAGE_ID, "");

  private final Map<String, Object> names = new HashMap<>();
  private Set<Consumer> consumers = Set.of(SHIPPING);
  private final FakeContext broker = new FakeContext().without("GONE");
  private final FakeMessage received =
      FakeMessage.text("hello")
          .header("JMSMessageID", "ID:1")
          .header("JMSDestination", FakeContext.queue("SHIPPING"))
          .header("JMSPriority", 7);

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(broker.open()).isZero();
  }

  private void send(Outgoing outgoing, Map<String, String> settings) {
    names.put(
        "jms/cf",
        Proxy.newProxyInstance(
            JmsKeptSenderTest.class.getClassLoader(),
            new Class<?>[] {ConnectionFactory.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("createContext");
              return broker.context();
            }));
    Map<String, String> all = new HashMap<>(settings);
    all.put("connection-factory", "jms/cf");
    new JmsKeptSender(TestConfig.shop(all), name -> consumers, PROOFS, this::find).send(outgoing);
  }

  private void send(Outgoing outgoing) {
    send(outgoing, Map.of());
  }

  private Object find(String name) throws NamingException {
    Object found = names.get(name);
    if (found == null) {
      throw new NameNotFoundException(name);
    }
    return found;
  }

  private static Delivery read(FakeMessage message) throws JMSException {
    return DeliveryReader.read(
        SHIPPING,
        message.as(Message.class),
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }

  /** A message whose retry is due. */
  private Outgoing retry() throws JMSException {
    return outgoing(ReplyOnRedrive.KEEP, true, true);
  }

  /** A message that an operator has chosen. */
  private Outgoing redriven(ReplyOnRedrive replies, boolean mayReply) throws JMSException {
    return outgoing(replies, mayReply, false);
  }

  private Outgoing outgoing(ReplyOnRedrive replies, boolean mayReply, boolean expires)
      throws JMSException {
    Delivery delivery = read(received);
    return new Outgoing(
        new StoredRow(7, 2),
        "shipping",
        delivery.destination(),
        "ID:1",
        false,
        3,
        replies,
        mayReply,
        expires,
        expires,
        delivery.content().get());
  }

  @Test
  void aRetryGoesBackAsItWasToWhereItCameFrom() throws JMSException {
    send(retry());

    assertThat(broker.sentTo()).isEqualTo("queue:SHIPPING");
    assertThat(broker.options())
        .containsOnly(
            Map.entry("setDeliveryMode", DeliveryMode.PERSISTENT),
            Map.entry("setPriority", 7),
            Map.entry("setTimeToLive", 0L));
    Delivery copy = read(broker.received().header("JMSMessageID", "ID:new"));
    assertThat(copy.id()).isEqualTo(new Known("ID:1"));
    assertThat(copy.history()).isEqualTo(new History(false, 3, 0));
    assertThat(copy.stored()).isEqualTo(new StoredRow(7, 2));
    assertThat(copy.fingerprint()).isEqualTo(read(received).fingerprint());
  }

  @Test
  void aRetryGoesToTheRetryDestinationIfThereIsOne() throws JMSException {
    names.put("jms/again", FakeContext.queue("AGAIN"));
    send(retry(), Map.of("consumer.shipping.retry-destination", "jms/again"));

    assertThat(broker.sentTo()).isEqualTo("queue:AGAIN");
  }

  @Test
  void aRetryIsNotPublishedToAllSubscribersOfItsTopic() throws JMSException {
    received.header("JMSDestination", FakeContext.topic("NEWS"));
    Outgoing retry = retry();

    assertThatThrownBy(() -> send(retry))
        .isInstanceOf(NotSentException.class)
        .hasMessageContaining("postbox.inbox.consumer.shipping.retry-destination")
        .satisfies(it -> assertThat(((NotSentException) it).isAtBroker()).isFalse())
        .satisfies(it -> assertThat(((NotSentException) it).reachesOthers()).isTrue());
    assertThat(broker.sentTo()).isNull();

    send(redriven(ReplyOnRedrive.KEEP, true));
    assertThat(broker.sentTo()).isEqualTo("topic:NEWS");
  }

  /** Its delivery would not read it, and so would not know its row. */
  @Test
  void aCopyThatIsLargerThanMaxBodyIsNotSent() throws JMSException {
    Outgoing retry = retry();

    assertThatThrownBy(() -> send(retry, Map.of("max-body", "4")))
        .isInstanceOf(NotSentException.class)
        .hasMessageContainingAll("5 bytes", "max-body", "'shipping' 4");
    assertThat(broker.sentTo()).isNull();
    send(retry, Map.of("max-body", "5"));
    assertThat(broker.sentTo()).isEqualTo("queue:SHIPPING");
  }

  /** A handler may pass the message on to a consumer that knows it by its header. */
  @Test
  void aCopyHasTheFirstIdOfItsHeaderAlsoForOthers() throws JMSException {
    consumers = Set.of(new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""));
    send(retry());

    assertThat(broker.received().as(Message.class).getObjectProperty("InboxMessageId"))
        .isEqualTo("ID:1");
  }

  @Test
  void aCopyThatANodeWithoutTheConsumerSendsHasItsId() throws JMSException {
    consumers = Set.of();
    send(retry());

    assertThat(read(broker.received().header("JMSMessageID", "ID:new")).id())
        .isEqualTo(new Known("ID:1"));
  }

  @Test
  void aRetryExpiresAsTheMessageDoesAndWhatAnOperatorSendsDoesNot() throws JMSException {
    received.header("JMSExpiration", System.currentTimeMillis() + 60_000);

    send(retry());
    assertThat((long) broker.options().get("setTimeToLive")).isBetween(1L, 60_000L);

    send(redriven(ReplyOnRedrive.KEEP, true));
    assertThat(broker.options()).containsEntry("setTimeToLive", 0L);
  }

  @Test
  void aRetryThatHasExpiredIsLeftToAnOperatorWhoMaySendIt() throws JMSException {
    received.header("JMSExpiration", System.currentTimeMillis() - Duration.ofMinutes(1).toMillis());
    Outgoing retry = retry();

    assertThatThrownBy(() -> send(retry))
        .isInstanceOf(NotSentException.class)
        .hasMessageStartingWith("its time to live ended at ")
        .hasMessageContaining("redrive it")
        .satisfies(it -> assertThat(((NotSentException) it).isAtBroker()).isFalse())
        .satisfies(it -> assertThat(((NotSentException) it).reachesOthers()).isFalse());
    assertThat(broker.sentTo()).isNull();

    send(redriven(ReplyOnRedrive.KEEP, true));
    assertThat(broker.sentTo()).isEqualTo("queue:SHIPPING");
  }

  @Test
  void aRetryIsSentAlsoIfItsRequesterHasGone() throws JMSException {
    received.header("JMSReplyTo", FakeContext.queue("GONE"));

    try (LogLines lines = new LogLines()) {
      send(retry());
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0078 ").contains("GONE");
    }
    Message copy = broker.received().as(Message.class);
    assertThat(copy.getJMSReplyTo()).isNull();
    assertThat(copy.getObjectProperty("InboxRequestId")).isNull();
    assertThat(copy.getObjectProperty("InboxAttempt")).isEqualTo(3);
    assertThat(broker.sentTo()).isEqualTo("queue:SHIPPING");
  }

  @Test
  void anOperatorIsToldThatTheRequesterHasGone() throws JMSException {
    received.header("JMSReplyTo", FakeContext.queue("GONE"));
    Outgoing redriven = redriven(ReplyOnRedrive.KEEP, true);

    assertThatThrownBy(() -> send(redriven))
        .isInstanceOf(NotSentException.class)
        .hasMessageContaining("ReplyOnRedrive.DROP");
    assertThat(broker.sentTo()).isNull();
    send(redriven(ReplyOnRedrive.DROP, true));
    assertThat(broker.sentTo()).isEqualTo("queue:SHIPPING");
  }

  @Test
  void aCopyProvesThatAReplyIsAllowedOnlyIfItIsAndIsWanted() throws JMSException {
    received.header("JMSReplyTo", FakeContext.queue("REPLIES"));

    send(retry());
    assertThat(mayReply()).isEqualTo(true);
    assertThat(read(broker.received()).content().get().properties())
        .as("proven, or it would be left out")
        .contains("InboxMayReply");
    send(redriven(ReplyOnRedrive.KEEP, true));
    assertThat(mayReply()).isEqualTo(true);
    send(redriven(ReplyOnRedrive.KEEP, false));
    assertThat(mayReply()).isNull();
    send(redriven(ReplyOnRedrive.DROP, true));
    assertThat(mayReply()).isNull();
  }

  private Object mayReply() throws JMSException {
    return broker.received().as(Message.class).getObjectProperty("InboxMayReply");
  }
}
