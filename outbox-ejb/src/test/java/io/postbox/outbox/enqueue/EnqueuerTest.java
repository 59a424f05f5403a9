package io.postbox.outbox.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Partitioning;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.ReplicationSlotStore;
import io.postbox.outbox.testing.PayloadEncoders;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnqueuerTest {
  private static final int MAX_PAYLOAD = 1_000;
  private static final Instant NOW = Instant.ofEpochMilli(1_763_683_247_123L);
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping").text("x");

  private final Enqueuer enqueuer = enqueuer(String::valueOf);

  private static Enqueuer enqueuer(Function<Object, String> toJson) {
    MessageStore unused = new MessageStore(Dialect.H2, new TableNames("", ""));
    return new Enqueuer(
        unused, InstantSource.fixed(NOW), 16, PayloadEncoders.plain(MAX_PAYLOAD, toJson));
  }

  private Envelope prepared(OutboxMessage message) {
    return enqueuer.prepare(message).envelope();
  }

  private void assertRefused(OutboxMessage message, String... says) {
    assertThatThrownBy(() -> enqueuer.prepare(message))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining(message.destination())
        .hasMessageContaining("is refused and was not written: ")
        .hasMessageContaining("The transaction is still usable")
        .hasMessageContainingAll(says);
  }

  @Test
  void aMessageGetsAnIdOfNow() {
    UUID id = prepared(MESSAGE).id();
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
  }

  @Test
  void aMessageKeepsTheIdThatItBrings() {
    UUID id = new UUID(1, 2);
    assertThat(prepared(MESSAGE.id(id)).id()).isEqualTo(id);
  }

  @Test
  void textBytesAndJsonAreStoredAsSuch() {
    Envelope text = prepared(MESSAGE.text("hello"));
    assertThat(text.contentType()).isEqualTo("text/plain");
    assertThat(textOf(text)).isEqualTo("hello");

    Envelope bytes = prepared(MESSAGE.bytes(new byte[] {0, -1}));
    assertThat(bytes.contentType()).isEqualTo("application/octet-stream");
    assertThat(bytesOf(bytes)).containsExactly(0, -1);

    Envelope json = prepared(MESSAGE.json(List.of(1, 2)));
    assertThat(json.contentType()).isEqualTo("application/json");
    assertThat(textOf(json)).isEqualTo("[1, 2]");
  }

  @Test
  void anEmptyPayloadIsAPayload() {
    assertThat(textOf(prepared(MESSAGE.text("")))).isEmpty();
    assertThat(bytesOf(prepared(MESSAGE.bytes(new byte[0])))).isEmpty();
  }

  @Test
  void theOrderingKeyIsTheAggregateUnlessToldOtherwise() {
    OutboxMessage ofOrder = MESSAGE.aggregate("Order", 7);
    assertThat(prepared(ofOrder).orderingKey()).isEqualTo("Order/7");
    assertThat(prepared(ofOrder.orderedBy("k")).orderingKey()).isEqualTo("k");
    assertThat(prepared(ofOrder.unordered()).orderingKey()).isNull();
    assertThat(prepared(MESSAGE).orderingKey()).isNull();
  }

  @Test
  void messagesOfOneKeyAndDestinationShareAPartition() {
    int first = enqueuer.prepare(MESSAGE.orderedBy("k")).partition();
    for (int i = 0; i < 20; i++) {
      assertThat(enqueuer.prepare(MESSAGE.orderedBy("k").event("E" + i)).partition())
          .isEqualTo(first);
    }
    assertThat(first).isEqualTo(new Partitioning(16).of("shipping", "k"));
  }

  @Test
  void headersHoldWhatNoStatementAsksFor() {
    Envelope envelope =
        prepared(
            MESSAGE
                .correlationId("c")
                .replyTo("replies")
                .aggregateVersion(3)
                .property("priority", 5));
    assertThat(Headers.fromJson(envelope.headers()))
        .isEqualTo(new Headers("c", "replies", 3L, null, Map.of("priority", 5)));
  }

  @Test
  void aMessageWithoutAPayloadIsRefused() {
    assertRefused(
        OutboxMessage.to("shipping"), "it has no payload", "call text, bytes, json or reference");
  }

  static List<Arguments> boundedParts() {
    return List.of(
        part("its destination", 100, (m, v) -> OutboxMessage.to(v).text("x")),
        part("its event type", 200, OutboxMessage::event),
        part("its aggregate type", 100, (m, v) -> m.aggregate(v, 1)),
        part("its aggregate id", 200, (m, v) -> m.aggregate("T", v)),
        part("its ordering key", 310, OutboxMessage::orderedBy),
        part("its schema version", 50, OutboxMessage::schemaVersion),
        part("its reply-to", 100, OutboxMessage::replyTo),
        part("its correlation id", 500, OutboxMessage::correlationId));
  }

  private static Arguments part(
      String part, int longest, BiFunction<OutboxMessage, String, OutboxMessage> set) {
    return Arguments.of(part, longest, set);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("boundedParts")
  void everyPartHasItsBound(
      String part, int longest, BiFunction<OutboxMessage, String, OutboxMessage> set) {
    assertThat(prepared(set.apply(MESSAGE, "é".repeat(longest)))).isNotNull();
    assertThat(prepared(set.apply(MESSAGE, "x"))).isNotNull();

    assertRefused(
        set.apply(MESSAGE, "x".repeat(longest + 1)),
        part + " has " + (longest + 1) + " characters, and at most " + longest + " fit");
    assertRefused(set.apply(MESSAGE, " "), part + " is blank");
    assertRefused(set.apply(MESSAGE, ""), part + " is blank");
    assertRefused(set.apply(MESSAGE, "a\nb"), part + " has control characters");
    assertRefused(set.apply(MESSAGE, "a\0b"), part + " has control characters");
    assertRefused(set.apply(MESSAGE, "a\uD83D"), part + " has a NUL character or half a surrogate");
  }

  @Test
  void aBlankDestinationIsRefusedWithAdvice() {
    assertRefused(
        OutboxMessage.to(" ").text("x"),
        "its destination is blank; give the logical name of one, such as shipping");
    assertRefused(MESSAGE.event(" "), "its event type is blank; leave it out or give it a value");
  }

  /** It becomes part of a JNDI name and of metrics, and may be what somebody typed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "java:comp/env/jms/secret",
        "ldap://evil.example/x",
        "..",
        "../secret",
        "a/../b",
        "a..b",
        "/shipping",
        "shipping/",
        "a//b",
        "a/./b",
        " shipping",
        "shipping ",
        "a\\b",
        "a'b",
        "a\"b",
        "a`b",
        "*",
        "ship\u202Eping",
        "ship\u200Bping",
        "ship\u2028ping"
      })
  void aDestinationThatIsNoNameIsRefused(String name) {
    assertRefused(
        OutboxMessage.to(name).text("x"),
        "its destination is not a valid name of a destination: one has 1");
    assertRefused(
        MESSAGE.replyTo(name),
        "its reply-to is not a valid name of a destination: one has 1 to 100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shipping", "a.b", "eu/west/shipping", "orders-2_x", "Großhändler 7"})
  void anyOtherDestinationIsOne(String name) {
    assertThat(prepared(OutboxMessage.to(name).text("x")).destination()).isEqualTo(name);
  }

  @Test
  void aConnectorIsGivenWhatItCanSend() {
    OutboxMessage full =
        MESSAGE
            .json(List.of(1))
            .event("OrderPlaced")
            .aggregate("Order", 7)
            .aggregateVersion(3)
            .correlationId("c")
            .replyTo("replies")
            .property("priority", 5)
            .id(new UUID(1, 2));

    assertThat(beforeConnector(Optional.empty()).prepare(full).envelope())
        .isEqualTo(prepared(full));
    for (String topic : List.of("a.b", "orders-2_x", "X".repeat(100))) {
      OutboxMessage message = OutboxMessage.to(topic).text("");
      assertThat(beforeConnector(Optional.empty()).prepare(message).lane().destination())
          .isEqualTo(topic);
    }
  }

  static List<Arguments> notForConnectors() {
    return List.of(
        Arguments.of(MESSAGE.bytes(new byte[] {1}), "its payload is octets", "Base64"),
        Arguments.of(
            MESSAGE.reference("documents", 7), "its payload is a reference", "text or json"),
        Arguments.of(MESSAGE.notBefore(NOW.plusSeconds(1)), "a notBefore", "when it is due"),
        Arguments.of(MESSAGE.notBefore(NOW.minusSeconds(1)), "a notBefore", "when it is due"),
        Arguments.of(MESSAGE.expiresAfter(Duration.ofHours(1)), "it expires", "a property"),
        Arguments.of(OutboxMessage.to("eu/west").text("x"), "'eu/west'", "name of a topic"),
        Arguments.of(OutboxMessage.to("Großhändler").text("x"), "'Großhändler'", "name of a topic"),
        Arguments.of(OutboxMessage.to("a b").text("x"), "'a b'", "name of a topic"));
  }

  @ParameterizedTest
  @MethodSource("notForConnectors")
  void messagesUnfitForAConnectorAreRefused(OutboxMessage message, String what, String wayOut) {
    assertThatThrownBy(() -> beforeConnector(Optional.empty()).prepare(message))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("is refused and was not written: ")
        .hasMessageContainingAll("with postbox.outbox.relay.mode=cdc", what, wayOut)
        .hasMessageEndingWith("The transaction is still usable.");
  }

  @Test
  void aConnectorDecryptsNothing() {
    PayloadCipher cipher =
        (PayloadCipher)
            Proxy.newProxyInstance(
                PayloadCipher.class.getClassLoader(),
                new Class<?>[] {PayloadCipher.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError("it is not asked");
                });

    assertThatThrownBy(() -> beforeConnector(Optional.of(cipher)).prepare(MESSAGE))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContainingAll(
            "PayloadCipher encrypts it", "decrypts nothing", "relay.mode=polling");
  }

  @Test
  void ofADataSubjectOnlyADigestIsStored() {
    DataSubjectKey digests = new DataSubjectKey("0123456789abcdef0123456789abcdef");
    OutboxMessage message = OutboxMessage.to("d").text("x").dataSubject("customer-4711");
    Enqueuer knowing =
        new Enqueuer(
            new MessageStore(Dialect.H2, new TableNames("", "")),
            InstantSource.fixed(NOW),
            16,
            PayloadEncoders.plain(MAX_PAYLOAD, String::valueOf),
            Destinations.ANY,
            Optional.empty(),
            Optional.of(digests));

    assertThat(knowing.prepare(message).envelope().dataSubject())
        .isEqualTo(digests.digest("customer-4711"))
        .hasSize(22)
        .doesNotContain("4711");
    assertThat(digests.digest("customer-4712")).isNotEqualTo(digests.digest("customer-4711"));
    assertThat(digests).hasToString("DataSubjectKey");
    assertRefused(message, "set postbox.data-subject-secret to at least 32 random characters");
    assertRefused(OutboxMessage.to("d").text("x").dataSubject("x".repeat(201)), "data subject");
    assertThat(prepared(OutboxMessage.to("d").text("x")).dataSubject()).isNull();
  }

  private static Enqueuer beforeConnector(Optional<PayloadCipher> cipher) {
    TableNames tables = new TableNames("", "");
    return new Enqueuer(
        new MessageStore(Dialect.POSTGRESQL, tables),
        InstantSource.fixed(NOW),
        16,
        new PayloadEncoder(MAX_PAYLOAD, MAX_PAYLOAD, String::valueOf, cipher, true),
        Destinations.ANY,
        Optional.of(new ReplicationSlotStore(tables, "postbox_outbox")),
        Optional.empty());
  }

  @Test
  void aDestinationThatIsNotListedIsRefusedWithTheNearestName() {
    Enqueuer strict =
        new Enqueuer(
            new MessageStore(Dialect.H2, new TableNames("", "")),
            InstantSource.fixed(NOW),
            16,
            PayloadEncoders.plain(MAX_PAYLOAD, String::valueOf),
            new Destinations(Set.of("shipping", "billing"), Map.of(), Map.of()),
            Optional.empty(),
            Optional.empty());

    assertThat(strict.prepare(MESSAGE.replyTo("billing")).envelope().destination())
        .isEqualTo("shipping");
    assertThatThrownBy(() -> strict.prepare(OutboxMessage.to("shiping").text("x")))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining(
            "its destination 'shiping' is not one of postbox.outbox.destinations=billing,shipping"
                + " (did you mean 'shipping'?). The transaction is still usable.");
    assertThatThrownBy(() -> strict.prepare(MESSAGE.replyTo("answers")))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining(
            "its reply-to 'answers' is not one of postbox.outbox.destinations=billing,shipping.");
  }

  @Test
  void theLongestAggregateStillMakesAnOrderingKey() {
    OutboxMessage message = MESSAGE.aggregate("t".repeat(100), "i".repeat(200));
    assertThat(prepared(message).orderingKey()).hasSize(301);
  }

  @Test
  void textThatADatabaseWouldRefuseIsRefusedBefore() {
    assertRefused(MESSAGE.text("a\0b"), "its text has a NUL character");
    assertRefused(MESSAGE.text("\uDE00"), "its text has", "send it as bytes");
    assertThat(textOf(prepared(MESSAGE.text("tab\t line\n 😀")))).isEqualTo("tab\t line\n 😀");
  }

  @Test
  void jsonThatADatabaseWouldRefuseIsRefusedBefore() {
    Enqueuer writesHalfAPair = enqueuer(value -> "\"\uD83D\"");
    assertThatThrownBy(() -> writesHalfAPair.prepare(MESSAGE.json("x")))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("half a surrogate pair");
  }

  @Test
  void payloadsAreMeasuredInBytes() {
    assertThat(prepared(MESSAGE.text("x".repeat(MAX_PAYLOAD)))).isNotNull();
    assertThat(prepared(MESSAGE.text("é".repeat(MAX_PAYLOAD / 2)))).isNotNull();
    assertThat(prepared(MESSAGE.bytes(new byte[MAX_PAYLOAD]))).isNotNull();
    assertThat(prepared(MESSAGE.json("x".repeat(MAX_PAYLOAD)))).isNotNull();

    String bound = "at most 1000 are allowed by postbox.outbox.max-payload";
    assertRefused(MESSAGE.text("x".repeat(MAX_PAYLOAD + 1)), "has 1001 bytes", bound);
    assertRefused(MESSAGE.text("é".repeat(MAX_PAYLOAD / 2) + "x"), "has 1001 bytes", bound);
    assertRefused(MESSAGE.bytes(new byte[MAX_PAYLOAD + 1]), "has 1001 bytes", bound);
    assertRefused(MESSAGE.json("x".repeat(MAX_PAYLOAD + 1)), "has 1001 bytes", bound);
  }

  @Test
  void anObjectThatCannotBeSerialisedIsRefused() {
    RuntimeException cause = new IllegalStateException("circle");
    Enqueuer fails =
        enqueuer(
            value -> {
              throw cause;
            });
    assertThatThrownBy(() -> fails.prepare(MESSAGE.json(new BigDecimal(1))))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContainingAll("JSON-B cannot serialise java.math.BigDecimal", "circle")
        .hasMessageContaining("The transaction is still usable")
        .hasCause(cause);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "a-b", "a.b", "1a", "a b", "null", "TRUE", "Between", "in", "escape"})
  void aPropertyNameIsOneOfJms(String name) {
    assertRefused(
        MESSAGE.property(name, 1), "the property name '" + name + "'", "use a Java identifier");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JMSType",
        "JMSXGroupID",
        "JMS_VENDOR_x",
        "jmsx",
        "OutboxMessageId",
        "OutboxAnything",
        "InboxOnlyFor",
        "InboxAnything",
        "_AMQ_DUPL_ID",
        "_AMQ_SCHED_DELIVERY",
        "traceparent",
        "tracestate"
      })
  void aPropertyOfJmsOrTheOutboxIsRefused(String name) {
    assertRefused(MESSAGE.property(name, 1), "'" + name + "'", "use another name");
  }

  @Test
  void aPropertyThatJmsCannotCarryIsRefused() {
    for (Object value :
        List.of(new BigDecimal(1), List.of(), 'c', new byte[0], Instant.EPOCH, new String[0])) {
      assertRefused(MESSAGE.property("p", value), "'p'", value.getClass().getName(), "JMS carries");
    }
  }

  @Test
  void everyPropertyThatJmsCarriesIsTaken() {
    Map<String, Object> properties =
        Map.of(
            "a", "text", "b", true, "c", (byte) 1, "d", (short) 2, "e", 3, "f", 4L, "g", 5f, "h",
            6d);
    OutboxMessage message = MESSAGE;
    for (var property : properties.entrySet()) {
      message = message.property(property.getKey(), property.getValue());
    }
    assertThat(Headers.fromJson(prepared(message).headers()).properties()).isEqualTo(properties);
  }

  @Test
  void aPropertyThatIsNotProperTextIsRefused() {
    assertRefused(MESSAGE.property("p", "half \uD83D"), "'p'", "half a surrogate pair");
  }

  @Test
  void propertiesThatDoNotFitTheirColumnAreRefused() {
    // the column of the headers holds 1,048,576 characters on H2
    assertRefused(MESSAGE.property("p", "x".repeat(1 << 20)), "propert", "1048576");
  }

  private static String textOf(Envelope envelope) {
    return ((Body.Text) envelope.body()).value();
  }

  private static byte[] bytesOf(Envelope envelope) {
    return ((Body.Bytes) envelope.body()).value();
  }
}
