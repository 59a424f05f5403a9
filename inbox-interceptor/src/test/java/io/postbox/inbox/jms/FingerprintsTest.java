package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.message.Fingerprint;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Databases store the fingerprints that are asserted here: version 1 never changes. */
class FingerprintsTest {

  @Test
  void aTextIsFingerprintedAsTAndItsUtf8() throws Exception {
    assertThat(of(FakeMessage.text("hello")).sha256())
        .isEqualTo("f4a32ebc0376558f998922a868e16056d2d7a53db488746b1dc1dd828c275ca6");
    assertThat(of(FakeMessage.text("ä€😀")).sha256())
        .isEqualTo(sha256("Tä€😀".getBytes(StandardCharsets.UTF_8)));
    assertThat(of(FakeMessage.text("hello")).version()).isEqualTo(2);
  }

  @Test
  void noTextIsLikeAnEmptyOne() throws Exception {
    assertThat(of(FakeMessage.text(null))).isEqualTo(of(FakeMessage.text("")));
  }

  @Test
  void bytesAreFingerprintedAsBAndThemselves() throws Exception {
    assertThat(of(FakeMessage.bytes((byte) 1, (byte) -1)).sha256())
        .isEqualTo(sha256(new byte[] {'B', 1, -1}));

    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 7);
    byte[] expected = new byte[100_001];
    Arrays.fill(expected, (byte) 7);
    expected[0] = 'B';
    assertThat(of(FakeMessage.bytes(large)).sha256()).isEqualTo(sha256(expected));
  }

  @Test
  void theHandlerReadsBytesAndStreamsFromTheStart() throws Exception {
    BytesMessage bytes = FakeMessage.bytes((byte) 1, (byte) 2).as(BytesMessage.class);
    Fingerprints.of(bytes);
    assertThat(bytes.readBytes(new byte[8])).isEqualTo(2);

    StreamMessage stream = FakeMessage.stream("first", 2).as(StreamMessage.class);
    Fingerprints.of(stream);
    assertThat(stream.readObject()).isEqualTo("first");
  }

  @Test
  void aMapIsFingerprintedInTheOrderOfItsNames() throws Exception {
    Map<String, @Nullable Object> one = new LinkedHashMap<>();
    one.put("b", 5);
    one.put("a", "x");
    Map<String, @Nullable Object> other = new LinkedHashMap<>();
    other.put("a", "x");
    other.put("b", 5);

    assertThat(of(FakeMessage.map(one))).isEqualTo(of(FakeMessage.map(other)));
    assertThat(of(FakeMessage.map(one)).sha256())
        .isEqualTo(
            sha256(
                HexFormat.of()
                    .parseHex(
                        "4d" + "740000000161" + "740000000178" + "740000000162" + "6900000005")));
  }

  @Test
  void everyTypeOfValueHasItsOwnForm() throws Exception {
    assertThat(
            of(FakeMessage.stream(
                    null, true, (byte) 1, (short) 2, 'c', 3, 4L, 1.5f, 2.5d, "t", new byte[] {9}))
                .sha256())
        .isEqualTo(
            sha256(
                HexFormat.of()
                    .parseHex(
                        "53"
                            + "30"
                            + "7a01"
                            + "6201"
                            + "730002"
                            + "630063"
                            + "6900000003"
                            + "6c0000000000000004"
                            + "663fc00000"
                            + "644004000000000000"
                            + "740000000174"
                            + "790000000109")));
    assertThat(of(FakeMessage.stream(1))).isNotEqualTo(of(FakeMessage.stream(1L)));
    assertThat(of(FakeMessage.stream("ab", "c"))).isNotEqualTo(of(FakeMessage.stream("a", "bc")));
  }

  @Test
  void anObjectIsNeverLookedAtAndNoBodyIsItsOwnKind() throws Exception {
    assertThat(of(FakeMessage.object()).sha256()).isEqualTo(sha256(new byte[] {'O'}));
    assertThat(of(FakeMessage.none()).sha256()).isEqualTo(sha256(new byte[] {'N'}));
  }

  @Test
  void aMessageWithoutABodyIsWhatItsPropertiesSay() throws Exception {
    assertThat(of(FakeMessage.none().with("b", 5).with("a", "x")).sha256())
        .isEqualTo(
            sha256(
                HexFormat.of()
                    .parseHex(
                        "504e" + "740000000161" + "740000000178" + "740000000162" + "6900000005")));
    assertThat(of(FakeMessage.none().with("a", "x"))).isNotEqualTo(of(FakeMessage.none()));
    for (Supplier<FakeMessage> empty :
        List.<Supplier<FakeMessage>>of(
            FakeMessage::none,
            FakeMessage::bytes,
            FakeMessage::stream,
            () -> FakeMessage.map(new HashMap<>()),
            () -> FakeMessage.text(null),
            () -> FakeMessage.text(""))) {
      Fingerprint ship = of(empty.get().with("command", "ship"));
      assertThat(ship).isEqualTo(of(empty.get().with("command", "ship")));
      assertThat(of(empty.get().with("command", "cancel")).contradicts(ship)).isTrue();
      assertThat(of(empty.get().with("command", "ship").with("at", 7L)).contradicts(ship)).isTrue();
      assertThat(of(empty.get()).contradicts(ship)).isTrue();
    }
    assertThat(of(FakeMessage.text(null).with("a", 1)))
        .isEqualTo(of(FakeMessage.text("").with("a", 1)));
  }

  @Test
  void propertiesThatDifferBetweenResendsDoNotCount() throws Exception {
    assertThat(
            of(
                FakeMessage.none()
                    .with("a", "x")
                    .with("OutboxMessageId", "1")
                    .with("OutboxCreatedAt", "2026-01-01T00:00:00Z")
                    .with("InboxAttempt", 3)
                    .with("InboxProof", "1")
                    .with("JMSXGroupID", "g")
                    .with("JMSXDeliveryCount", 2)
                    .with("JMS_IBM_x", "y")
                    .with("JMS_AMQP_ContentType", "text/plain")
                    .with("_AMQ_DUPL_ID", "1")
                    .with("traceparent", "00-1")
                    .with("tracestate", "v=1")
                    .with("baggage", "k=v")))
        .isEqualTo(of(FakeMessage.none().with("a", "x")));
  }

  @Test
  void theIdThatTheConsumerFindsInAPropertyDoesNotCount() throws Exception {
    Message message = FakeMessage.text("").with("orderNo", "7").as(Message.class);
    assertThat(Fingerprints.of(message, "orderNo")).isEqualTo(Fingerprints.ofText(""));
    assertThat(Fingerprints.of(message, "another")).isNotEqualTo(Fingerprints.ofText(""));
  }

  @Test
  void thePropertiesOfAMessageWithABodyDoNotCount() throws Exception {
    assertThat(of(FakeMessage.text("x").with("a", 1))).isEqualTo(of(FakeMessage.text("x")));
    assertThat(of(FakeMessage.stream(1).with("a", 1))).isEqualTo(of(FakeMessage.stream(1)));
    assertThat(of(FakeMessage.object().with("a", 1))).isEqualTo(of(FakeMessage.object()));
    // the letter P keeps apart what is written alike
    assertThat(of(FakeMessage.none().with("a", "x")))
        .isNotEqualTo(of(FakeMessage.text("t\0\0\0\1at\0\0\0\1x")));
  }

  @Test
  void kindsOfBodiesAreNotMixedUp() throws Exception {
    assertThat(of(FakeMessage.text(""))).isNotEqualTo(of(FakeMessage.bytes()));
    assertThat(of(FakeMessage.stream())).isNotEqualTo(of(FakeMessage.map(new HashMap<>())));
  }

  private static Fingerprint of(FakeMessage message) throws JMSException {
    return Fingerprints.of(message.as(Message.class));
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
