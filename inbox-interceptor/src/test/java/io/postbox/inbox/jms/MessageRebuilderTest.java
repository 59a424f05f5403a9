package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.Tenth;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.jms.MessageRebuilder.NobodyWaits;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.StoredRow;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageRebuilderTest {
  private static final int ROUNDS = 2_000;
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Consumer BY_NUMBER = new Consumer("shipping", IdFrom.PROPERTY, "orderNo");
  private static final Consumer BY_RESOLVER = new Consumer("shipping", IdFrom.RESOLVER, "");
  private static final Consumer BY_HEADER = new Consumer("shipping", IdFrom.JMS_MESSAGE_ID, "");

  @Test
  void everyMessageComesBackEqual() throws JMSException {
    long seed = Tenth.seed();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      FakeMessage original = anyMessage(random);
      Content kept = content(original);
      FakeContext context = new FakeContext();
      new MessageRebuilder(kept).message(context.context(), Map.of(), ReplyOnRedrive.KEEP);
      FakeMessage made = context.received();
      Content retry = content(made);

      String which = "seed %s, round %s".formatted(seed, round);
      assertThat(retry.properties()).as(which).isEqualTo(kept.properties());
      assertThat(retry).as(which).isEqualTo(kept);
      assertThat(fingerprint(made)).as(which).isEqualTo(fingerprint(original));
    }
  }

  @Test
  void headersComeBackThatAreTheSenders() throws JMSException {
    Content kept =
        content(
            FakeMessage.text("x")
                .header("JMSCorrelationID", "c-1")
                .header("JMSType", "OrderPlaced")
                .header("JMSPriority", 7)
                .header("JMSExpiration", 5L)
                .header("JMSReplyTo", FakeContext.topic("replies"))
                .header("JMSDestination", FakeContext.queue("SHIPPING")));
    MessageRebuilder rebuild = new MessageRebuilder(kept);
    FakeContext context = new FakeContext();
    rebuild.message(context.context(), Map.of(), ReplyOnRedrive.KEEP);
    Message made = context.received().as(Message.class);

    assertThat(made.getJMSCorrelationID()).isEqualTo("c-1");
    assertThat(made.getJMSType()).isEqualTo("OrderPlaced");
    assertThat(FakeContext.name(made.getJMSReplyTo())).isEqualTo("topic:replies");
    assertThat(made.getObjectProperty("InboxRequestId")).isEqualTo("c-1");
    assertThat(rebuild.priority()).isEqualTo(7);
    assertThat(rebuild.expiration()).contains(Instant.ofEpochMilli(5));
    assertThat(kept.properties()).contains("\"JMSDestination\":\"queue:SHIPPING\"");
    assertThat(FakeContext.name(Destinations.named(new FakeContext().context(), "queue:SHIPPING")))
        .isEqualTo("queue:SHIPPING");
  }

  @Test
  void aMessageThatNeverExpiresComesBackSo() throws JMSException {
    assertThat(new MessageRebuilder(content(FakeMessage.text("x"))).expiration()).isEmpty();
    Content zero = content(FakeMessage.text("x").header("JMSExpiration", 0L));
    assertThat(new MessageRebuilder(zero).expiration()).isEmpty();
  }

  /** Whatever its sender has set, what the copy says of itself is what this service says. */
  @Test
  void aRetryComesBackAsItWasAndIsKnownAsACopy() throws JMSException {
    FakeMessage original =
        FakeMessage.text("x")
            .header("JMSMessageID", "ID:1")
            .header("JMSType", "OrderPlaced")
            .header("JMSReplyTo", FakeContext.queue("REPLIES"))
            .with("OutboxEventType", "OrderPlaced")
            .with("JMSXGroupID", "k")
            .with("JMSXGroupSeq", 2)
            .with("small", (short) 5)
            .with("InboxAttempt", 999_999)
            .with("InboxMessageId", "ID:theirs")
            .with("InboxRequestId", "theirs")
            .with("InboxOnlyFor", "billing")
            .with("InboxStored", "9.9")
            .with("InboxMayReply", true)
            .with("InboxProof", "1.AAAA.AAAA");
    Delivery first = read(original);
    assertThat(first.id()).isEqualTo(new Known("ID:1"));

    Delivery copy = read(copy(first, 1, 3));
    assertThat(copy.id()).isEqualTo(new Known("ID:1"));
    assertThat(copy.history()).isEqualTo(new History(false, 3, 0));
    assertThat(copy.stored()).isEqualTo(new StoredRow(7, 1));
    assertThat(copy.fingerprint()).isEqualTo(first.fingerprint());
    assertThat(copy.eventType()).isEqualTo("OrderPlaced");
    assertThat(copy.schedule()).isEqualTo(first.schedule());
    assertThat(copy.replyTo()).isEqualTo("queue:REPLIES");

    Message message = copy(first, 1, 3).as(Message.class);
    assertThat(message.getObjectProperty("small")).isEqualTo((short) 5);
    assertThat(message.getObjectProperty("JMSXGroupSeq")).isEqualTo(2);
    assertThat(message.getObjectProperty("InboxRequestId")).isEqualTo("ID:1");
    assertThat(message.getObjectProperty("InboxMayReply")).isNull();

    Delivery second = read(copy(copy, 2, 4));
    assertThat(second.id()).as("a copy that is stored in its turn").isEqualTo(new Known("ID:1"));
    assertThat(second.history().waitedFor()).isEqualTo(4);
    assertThat(second.stored()).isEqualTo(new StoredRow(7, 2));
    assertThat(copy(copy, 2, 4).as(Message.class).getObjectProperty("InboxRequestId"))
        .isEqualTo("ID:1");
  }

  /** The copy of a message, as it is received. */
  private static FakeMessage copy(Delivery stored, int generation, int waitedFor)
      throws JMSException {
    FakeContext context = new FakeContext();
    Map<String, Object> ids =
        NewIds.of(
            Set.of(BY_HEADER),
            "shipping",
            ((Known) stored.id()).value(),
            false,
            new StoredRow(7, generation),
            waitedFor,
            false,
            Optional.empty());
    new MessageRebuilder(stored.content().get())
        .message(context.context(), ids, ReplyOnRedrive.KEEP);
    return context.received().header("JMSMessageID", "ID:new").provenBy(PROOFS, BY_HEADER);
  }

  private static Delivery read(FakeMessage message) throws JMSException {
    return DeliveryReader.read(
        BY_HEADER,
        message.as(Message.class),
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }

  @Test
  void whereTheAnswerIsWantedIsKeptOrDroppedByChoice() throws JMSException {
    Content kept =
        content(
            FakeMessage.text("x")
                .header("JMSMessageID", "ID:1")
                .header("JMSReplyTo", FakeContext.queue("REPLIES")));
    FakeContext keeping = new FakeContext();
    FakeContext dropping = new FakeContext();

    new MessageRebuilder(kept).message(keeping.context(), Map.of(), ReplyOnRedrive.KEEP);
    new MessageRebuilder(kept).message(dropping.context(), Map.of(), ReplyOnRedrive.DROP);

    Message asking = keeping.received().as(Message.class);
    assertThat(FakeContext.name(asking.getJMSReplyTo())).isEqualTo("queue:REPLIES");
    assertThat(asking.getObjectProperty("InboxRequestId")).isEqualTo("ID:1");
    Message silent = dropping.received().as(Message.class);
    assertThat(silent.getJMSReplyTo()).isNull();
    assertThat(silent.getObjectProperty("InboxRequestId")).isNull();
  }

  @Test
  void aReplyToThatIsNotThereIsSaidAndTheMessageStays() throws JMSException {
    Content kept = content(FakeMessage.text("x").header("JMSReplyTo", FakeContext.queue("GONE")));
    FakeContext broker = new FakeContext().without("GONE");

    assertThatThrownBy(
            () ->
                new MessageRebuilder(kept).message(broker.context(), Map.of(), ReplyOnRedrive.KEEP))
        .isInstanceOf(NobodyWaits.class)
        .hasMessageContaining("queue:GONE")
        .hasMessageContaining("ReplyOnRedrive.DROP");
  }

  @Test
  void propertiesOfEarlierDeliveriesOrTheProviderAreLeftOut() throws JMSException {
    FakeContext context = new FakeContext();
    new MessageRebuilder(
            content(
                FakeMessage.text("x")
                    .with("InboxAttempt", 3)
                    .with("InboxMayReply", true)
                    .with("InboxMessageId", "ID:1")
                    .with("InboxOnlyFor", "billing")
                    .with("InboxProof", "1.x.y")
                    .with("JMSXDeliveryCount", 4)
                    .with("JMSXUserID", "ada")
                    .with("JMSXGroupID", "k")
                    .with("JMSXGroupSeq", 1)
                    .with("JMS_VENDOR_x", "y")
                    .with("_AMQ_DUPL_ID", "m-1")
                    .with("JMS_AMQP_ContentType", "text/plain")
                    .with("mine", true)))
        .message(context.context(), Map.of("OutboxMessageId", "new"), ReplyOnRedrive.KEEP);
    Message made = context.received().as(Message.class);

    assertThat(Bodies.names(made.getPropertyNames()))
        .containsExactlyInAnyOrder(
            "JMSXGroupID", "JMSXGroupSeq", "JMS_AMQP_ContentType", "mine", "OutboxMessageId");
  }

  @Test
  void anIdIsWhereTheConsumerLooksForItAndTheMessageIsForNobodyElse() {
    String only = "InboxOnlyFor";
    assertThat(ids(Set.of(SHIPPING), "1", false)).isEqualTo(copy(Map.of(only, "shipping")));
    assertThat(ids(Set.of(SHIPPING), "1", true))
        .isEqualTo(copy(Map.of("OutboxMessageId", "1", only, "shipping")));
    assertThat(ids(Set.of(BY_NUMBER), "1", false)).isEqualTo(copy(Map.of(only, "shipping")));
    assertThat(ids(Set.of(BY_NUMBER, SHIPPING), "1", true))
        .isEqualTo(copy(Map.of("orderNo", "1", "OutboxMessageId", "1", only, "shipping")));
    assertThat(ids(Set.of(BY_RESOLVER), "1", false)).isEqualTo(copy(Map.of(only, "shipping")));
    assertThatThrownBy(() -> ids(Set.of(BY_RESOLVER), "1", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MessageIdResolver");
    for (boolean isNew : new boolean[] {true, false}) { // the header is another one each time
      assertThat(ids(Set.of(BY_HEADER), "ID:1", isNew))
          .isEqualTo(copy(Map.of("InboxMessageId", "ID:1", only, "shipping")));
    }
  }

  @Test
  void aCopySaysWhetherAReplyIsAllowedOnlyIfItIs() {
    for (Set<Consumer> consumers : List.of(Set.of(SHIPPING), Set.<Consumer>of())) {
      for (boolean mayReply : List.of(true, false)) {
        Map<String, Object> ids =
            NewIds.of(
                consumers,
                "shipping",
                "1",
                false,
                new StoredRow(7, 2),
                3,
                mayReply,
                Optional.empty());
        assertThat(ids.get("InboxMayReply")).isEqualTo(mayReply ? true : null);
      }
    }
  }

  private static Map<String, Object> ids(Set<Consumer> consumers, String id, boolean isNew) {
    return NewIds.of(
        consumers, "shipping", id, isNew, new StoredRow(7, 2), 3, false, Optional.empty());
  }

  /** Each copy says of which row it is, and how many failures it has waited for. */
  private static Map<String, Object> copy(Map<String, Object> ids) {
    Map<String, Object> all = new HashMap<>(ids);
    all.put("InboxStored", "7.2");
    all.put("InboxAttempt", 3);
    return all;
  }

  @Test
  void aMessageForAConsumerThatIsNotHereIsForWhoeverListens() {
    assertThat(ids(Set.of(), "1", false)).isEqualTo(copy(Map.of("InboxMessageId", "1")));
    assertThat(ids(Set.of(), "1", true))
        .isEqualTo(copy(Map.of("InboxMessageId", "1", "OutboxMessageId", "1")));
  }

  @Test
  void theFirstIdIsInTheHeaderOrForACopyInAProperty() throws JMSException {
    FakeMessage message = FakeMessage.text("x").with("InboxMessageId", "ID:1");
    assertThat(firstId(message)).isEmpty();
    assertThat(firstId(message.header("JMSMessageID", "ID:2"))).contains("ID:2");
    assertThat(firstId(message.with("InboxAttempt", 1))).contains("ID:1");
    assertThat(firstId(message.with("InboxMessageId", 7))).isEmpty();
    assertThat(NewIds.first("{\"headers\":{},\"properties\":{}}secret")).isEmpty();
  }

  private static Optional<String> firstId(FakeMessage message) throws JMSException {
    return NewIds.first(content(message).properties());
  }

  @Test
  void aMessageWithoutItsBodyIsNotMadeAgain() throws JMSException {
    FakeMessage received = FakeMessage.text("too large").with("colour", "red");
    MessageRebuilder rebuild =
        new MessageRebuilder(Contents.withoutBody(received.as(Message.class), true, 100));
    FakeContext context = new FakeContext();

    assertThatThrownBy(() -> rebuild.message(context.context(), Map.of(), ReplyOnRedrive.KEEP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its body was not kept")
        .hasMessageContaining("send it again");
  }

  @Test
  void foreignContentsAreRefusedWithoutShowingThem() {
    for (String broken :
        List.of(
            "",
            "{",
            "[]",
            "{\"headers\":{}}",
            "{\"headers\":{},\"properties\":[]}",
            "{\"headers\":{},\"properties\":{}}secret",
            "{\"headers\":{\"secret\":\"\\u00",
            "{\"headers\":{\"secret\"}}")) {
      assertThatThrownBy(() -> new MessageRebuilder(new Content(BodyType.NONE, null, null, broken)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("secret");
    }
    String none = "{\"headers\":{},\"properties\":{}}";
    for (Content broken :
        List.of(
            new Content(BodyType.MAP, null, null, none),
            new Content(BodyType.BYTES, null, null, none),
            new Content(
                BodyType.NONE,
                null,
                null,
                "{\"headers\":{},\"properties\":{\"content-type\":\"string:secret\"}}"),
            new Content(BodyType.STREAM, "[\"secret\"]", null, none),
            new Content(BodyType.STREAM, "[\"integer:secret\"", null, none),
            new Content(BodyType.STREAM, "[\"integer:secret\"]", null, none),
            new Content(BodyType.STREAM, "[\"secret:1\"]", null, none),
            new Content(BodyType.STREAM, "[\"character:\"]", null, none),
            new Content(BodyType.MAP, "{\"a\":{\"secret\":null}}", null, none))) {
      assertThatThrownBy(
              () ->
                  new MessageRebuilder(broken)
                      .message(new FakeContext().context(), Map.of(), ReplyOnRedrive.KEEP))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("secret");
    }
  }

  private static FakeMessage anyMessage(Random random) {
    FakeMessage message =
        switch (random.nextInt(6)) {
          case 0 -> FakeMessage.text(random.nextInt(10) == 0 ? null : anyText(random));
          case 1 -> FakeMessage.bytes(anyBytes(random));
          case 2 -> {
            Map<String, @Nullable Object> entries = new TreeMap<>();
            for (int i = random.nextInt(6); i > 0; i--) {
              entries.put(anyText(random), anyValue(random, true));
            }
            yield FakeMessage.map(entries);
          }
          case 3 -> {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
              values.add(anyValue(random, true));
            }
            yield FakeMessage.stream(values.toArray());
          }
          default -> FakeMessage.none();
        };
    for (int i = random.nextInt(6); i > 0; i--) {
      message.with("p" + random.nextInt(100), anyValue(random, false));
    }
    if (random.nextBoolean()) {
      message.header("JMSCorrelationID", anyText(random)).header("JMSType", anyText(random));
    }
    return message;
  }

  private static @Nullable Object anyValue(Random random, boolean inBody) {
    return switch (random.nextInt(inBody ? 11 : 8)) {
      case 0 -> random.nextBoolean();
      case 1 -> (byte) random.nextInt();
      case 2 -> (short) random.nextInt();
      case 3 -> random.nextInt();
      case 4 -> random.nextLong();
      case 5 -> anyFloat(random);
      case 6 -> anyDouble(random);
      case 7 -> anyText(random);
      case 8 -> (char) random.nextInt();
      case 9 -> anyBytes(random);
      default -> null;
    };
  }

  private static float anyFloat(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Float.NaN;
      case 1 -> -0.0f;
      case 2 -> Float.NEGATIVE_INFINITY;
      default -> random.nextFloat() * Float.MAX_VALUE;
    };
  }

  private static double anyDouble(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Double.NaN;
      case 1 -> Double.MIN_VALUE;
      case 2 -> Double.POSITIVE_INFINITY;
      default -> random.nextGaussian();
    };
  }

  /** Any characters, also those that are no Unicode on their own. */
  private static String anyText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> text.append("\"\\/:{}[],'".charAt(random.nextInt(10)));
        case 1 -> text.append((char) random.nextInt(0x20));
        case 2 -> text.append((char) random.nextInt());
        default -> text.append(random.nextInt());
      }
    }
    return text.toString();
  }

  private static byte[] anyBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Content content(FakeMessage message) throws JMSException {
    return Contents.of(SHIPPING, message.as(Message.class), true);
  }

  private static Fingerprint fingerprint(FakeMessage message) throws JMSException {
    return Fingerprints.of(message.as(Message.class));
  }
}
