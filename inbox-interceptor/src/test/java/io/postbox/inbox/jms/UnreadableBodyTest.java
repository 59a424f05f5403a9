package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that are too large, or that cannot be read: all that lies beside them is read. */
class UnreadableBodyTest {
  private static final String ID = "01890a5d-ac96-774b-bcce-b302099a8057";
  private static final Resolvers NO_RESOLVERS =
      type -> {
        throw new AssertionError("it would read the body");
      };

  static Stream<Arguments> bodies() {
    return Stream.of(
        Arguments.of(10, FakeMessage.bytes(new byte[10])),
        Arguments.of(5, FakeMessage.text("hello")),
        Arguments.of(6, FakeMessage.text("\u00e9\u20acx")),
        Arguments.of(4, FakeMessage.text("\ud83d\ude00")),
        Arguments.of(7 + 9, FakeMessage.map(Map.of("k", 1L))),
        Arguments.of(10 + 13, FakeMessage.map(Map.of("name", "abc"))),
        Arguments.of(17 + 12, FakeMessage.stream(new byte[4], 7)),
        Arguments.of(5 + 10 + 6 * 4, FakeMessage.stream(null, "\u007f\u0001\u20ac\ud83d")));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void aBodyMayBeAsLargeAsTheLimitAndNoByteLarger(int size, FakeMessage message)
      throws JMSException {
    Delivery fits = read(message, size);
    assertThat(fits.body()).isEqualTo(new Body.Whole());
    assertThat(fits.content().get().type()).isNotEqualTo(BodyType.NOT_KEPT);

    Delivery large = read(message, size - 1);

    assertThat(large.body()).isEqualTo(new Body.TooLarge(size, size - 1));
  }

  @Test
  void theLengthOfBytesIsJudgedBeforeTheyAreRead() throws JMSException {
    FakeMessage message = withId(FakeMessage.bytes(new byte[100])).with("colour", "red");
    // a proof would be over the body
    message.with("InboxAttempt", 3).with("InboxProof", "1.copy.AAAA.c2hpcHBpbmc");

    Delivery delivery = read(message, 99);

    assertThat(delivery.body()).isEqualTo(new Body.TooLarge(100, 99));
    assertKeptWithoutBody(delivery);
    assertThat(delivery.history().waitedFor()).as("nobody can prove it").isZero();
    assertThat(message.touches).isZero();
  }

  @Test
  void aStreamIsMeasuredUpToWhatIsTooMuch() throws JMSException {
    FakeMessage message = FakeMessage.stream(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    assertThat(read(message, 20).body()).isEqualTo(new Body.TooLarge(24, 20));
    assertThat(message.touches).isEqualTo(2);
  }

  /** A sender would choose what grows most. */
  @Test
  void whatIsKeptOfAMapOrAStreamIsNoLargerThanTheLimit() throws JMSException {
    Random random = new Random(5);
    for (int round = 0; round < 500; round++) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        values.put("n" + (char) random.nextInt(300) + i, value(random));
      }
      for (FakeMessage message :
          List.of(FakeMessage.map(values), FakeMessage.stream(values.values().toArray()))) {
        int limit = random.nextInt(200);
        Delivery delivery = read(message, limit);
        if (delivery.body() instanceof Body.Whole) {
          assertThat(delivery.content().get().text()).hasSizeLessThanOrEqualTo(limit + 2);
        }
      }
    }
  }

  /** A sender may choose those instead of the body, and nobody else limits them. */
  @Test
  void propertiesHaveALimitOfTheirOwnAndWhatFitsOfThemIsKept() throws JMSException {
    FakeMessage message = withId(FakeMessage.text("hello")).with("colour", "red");
    String large = "\u007f".repeat(11_000); // escaped, it takes six times as much
    message.with("large", large);

    Delivery delivery = read(message, 10);

    assertThat(delivery.body())
        .isInstanceOfSatisfying(
            Body.TooLarge.class,
            it -> {
              assertThat(it.limit()).isEqualTo(65_536);
              assertThat(it.size()).isBetween(6 * 11_000L, 6 * 11_000L + 300);
            });
    assertThat(delivery.withoutBody().content().get().properties())
        .contains("colour", ID)
        .doesNotContain("large")
        .hasSizeLessThan(1_000);
    assertThat(read(message, 70_000).body()).as("as much as a body").isEqualTo(new Body.Whole());
  }

  private static Object value(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new byte[random.nextInt(30)];
      case 1 -> random.nextLong();
      case 2 -> random.nextBoolean();
      default ->
          random
              .ints(random.nextInt(30), 0, 0x2000)
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
    };
  }

  @Test
  void aBodyThatCannotBeReadKeepsNothingElseFromBeingRead() throws JMSException {
    for (Throwable because :
        new Throwable[] {
          new JMSException("torn"), new IllegalStateException("torn"), new OutOfMemoryError("heap")
        }) {
      FakeMessage message =
          withId(FakeMessage.bytes(new byte[10]))
              .with("colour", "red")
              .header("JMSMessageID", "ID:9")
              .header("JMSRedelivered", true)
              .unreadable(because);

      Delivery delivery = read(message, 10);

      assertThat(delivery.body()).isEqualTo(new Body.Unreadable("ID:9", because));
      assertThat(delivery.history().redelivered()).isTrue();
      assertKeptWithoutBody(delivery);
    }
  }

  private static void assertKeptWithoutBody(Delivery delivery) {
    assertThat(delivery.id()).isEqualTo(new Known(ID));
    Content kept = delivery.withoutBody().content().get();
    assertThat(kept.type()).isEqualTo(BodyType.NOT_KEPT);
    assertThat(kept.text()).isNull();
    assertThat(kept.bytes()).isNull();
    assertThat(kept.properties()).contains("red").doesNotContain("InboxAttempt");
  }

  /** Two that are not read are two messages; the same one again is one. */
  @Test
  void itsFingerprintIsThatOfTheMessageAndNotOfTheBody() throws JMSException {
    Delivery one = tooLarge("ID:1");

    assertThat(one.fingerprint()).isEqualTo(tooLarge("ID:1").fingerprint());
    assertThat(one.fingerprint()).isNotEqualTo(tooLarge("ID:2").fingerprint());
  }

  private static Delivery tooLarge(String name) throws JMSException {
    return read(FakeMessage.bytes(new byte[2]).header("JMSMessageID", name), 1);
  }

  @Test
  void aResolverIsNotAskedForItWouldReadTheBody() throws JMSException {
    Delivery delivery =
        DeliveryReader.read(
            new Consumer("shipping", IdFrom.RESOLVER, ""),
            FakeMessage.bytes(new byte[2]).as(Message.class),
            NO_RESOLVERS,
            TestProofs.PROOFS,
            1,
            UnaryOperator.identity());

    assertThat(delivery.id()).isEqualTo(new Unusable(QuarantineReason.MISSING_ID));
  }

  @Test
  void anObjectIsNotLookedInto() throws JMSException {
    FakeMessage message = FakeMessage.object().header("JMSMessageID", "ID:7");

    assertThat(read(message, 1).body()).isEqualTo(new Body.Opaque("ID:7"));
    assertThat(message.touches).isZero();
  }

  private static FakeMessage withId(FakeMessage message) {
    return message.with("OutboxMessageId", ID);
  }

  private static Delivery read(FakeMessage message, long maxBody) throws JMSException {
    return DeliveryReader.read(
        new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""),
        message.as(Message.class),
        NO_RESOLVERS,
        TestProofs.PROOFS,
        maxBody,
        UnaryOperator.identity());
  }
}
