package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.MessageEdit;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Keying;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RequestReaderTest {
  private static final InboxRequest REQUEST = InboxRequest.of("shipping", "id-1");

  @Test
  void aBodyHasTheFingerprintThatItHasInAJmsMessage() throws Exception {
    String text = "gr\u00fc\u00df dich";
    assertThat(fingerprint(REQUEST.text(text)))
        .isEqualTo(Fingerprints.of(FakeMessage.text(text).as(Message.class)));
    assertThat(fingerprint(REQUEST.bytes(new byte[] {1, 2, 3})))
        .isEqualTo(
            Fingerprints.of(FakeMessage.bytes((byte) 1, (byte) 2, (byte) 3).as(Message.class)))
        .isNotEqualTo(fingerprint(REQUEST.text("\1\2\3")));
    assertThat(fingerprint(REQUEST))
        .isEqualTo(Fingerprints.of(FakeMessage.none().as(Message.class)));
  }

  @Test
  void theRequestsPartsAreThere() {
    Delivery delivery =
        RequestReader.read(
            REQUEST.event("OrderPlaced").source("shop").aggregate("Order", "7", 3).text("x"),
            UnaryOperator.identity());

    assertThat(delivery.consumer()).isEqualTo("shipping");
    assertThat(delivery.id()).isEqualTo(new Known("id-1"));
    assertThat(delivery.eventType()).isEqualTo("OrderPlaced");
    assertThat(delivery.source()).isEqualTo("shop");
    assertThat(delivery.aggregate()).isEqualTo(new Aggregate("Order", "7", 3));
    assertThat(delivery.destination()).isNull();
    assertThat(delivery.canBeKept()).isTrue();
    assertThat(delivery.headers())
        .isEqualTo(
            """
            {"OutboxAggregateId":"7","OutboxAggregateType":"Order","OutboxAggregateVersion":"3",\
            "OutboxEventType":"OrderPlaced","OutboxSource":"shop"}\
            """);
    assertThat(delivery.content().get().properties())
        .isEqualTo(
            """
            {"headers":{},"properties":{"OutboxAggregateId":"string:7",\
            "OutboxAggregateType":"string:Order","OutboxAggregateVersion":"long:3",\
            "OutboxEventType":"string:OrderPlaced","OutboxSource":"string:shop"}}\
            """);
  }

  @Test
  void theWholeBodyCanBeKept() {
    assertThat(RequestReader.read(REQUEST.text("x"), UnaryOperator.identity()).content().get())
        .satisfies(
            content -> {
              assertThat(content.type()).isEqualTo(BodyType.TEXT);
              assertThat(content.text()).isEqualTo("x");
            });
    assertThat(
            RequestReader.read(REQUEST.text("\0"), UnaryOperator.identity()).content().get().type())
        .isEqualTo(BodyType.TEXT_UTF16);
    assertThat(
            RequestReader.read(
                    REQUEST.bytes("x".getBytes(StandardCharsets.UTF_8)), UnaryOperator.identity())
                .content()
                .get())
        .satisfies(
            content -> {
              assertThat(content.type()).isEqualTo(BodyType.BYTES);
              assertThat(content.bytes().remaining()).isOne();
            });
    assertThat(RequestReader.read(REQUEST, UnaryOperator.identity()).content().get().type())
        .isEqualTo(BodyType.NONE);
  }

  @Test
  void anInvalidIdIsUnusable() {
    assertThat(reason(null)).isEqualTo(QuarantineReason.MISSING_ID);
    assertThat(reason(" ")).isEqualTo(QuarantineReason.BLANK_ID);
    assertThat(reason("i".repeat(201))).isEqualTo(QuarantineReason.ID_TOO_LONG);
    assertThat(reason("a\nb")).isEqualTo(QuarantineReason.MALFORMED_ID);
    assertThat(
            RequestReader.read(InboxRequest.of("c", "i".repeat(200)), UnaryOperator.identity())
                .id())
        .isEqualTo(new Known("i".repeat(200)));
  }

  @Test
  void aPartThatDoesNotFitItsColumnIsLeftOut() {
    Delivery delivery =
        RequestReader.read(
            REQUEST.event("e".repeat(201)).source("a\0").aggregate("Order", "i".repeat(201), 1),
            UnaryOperator.identity());

    assertThat(delivery.eventType()).isNull();
    assertThat(delivery.source()).isNull();
    assertThat(delivery.aggregate()).isNull();
    assertThat(delivery.headers()).isEqualTo("{}");
  }

  @Test
  void unlessItIsSaidToBeTheFirstDeliveryItMayHaveFailed() {
    assertThat(RequestReader.read(REQUEST, UnaryOperator.identity()).history())
        .isEqualTo(History.UNKNOWN);
    assertThat(RequestReader.read(REQUEST.deliveries(1), UnaryOperator.identity()).history())
        .isEqualTo(History.NONE);
    assertThat(RequestReader.read(REQUEST.deliveries(3), UnaryOperator.identity()).history())
        .isEqualTo(new History(true, 0, 2));
  }

  @Test
  void originKeyAndHeadersAreKeptForOperators() {
    Delivery delivery =
        RequestReader.read(
            REQUEST
                .from("payments", 3, 42)
                .orderedBy("7")
                .header("content-type", "text/plain")
                .header("JMSReplyTo", "queue:THEIRS")
                .header("retry", "1")
                .header("retry", "2")
                .header("n", new byte[] {0, 1})
                .header("nothing", (byte[]) null)
                .header("name\n", "left out")
                .text("x"),
            UnaryOperator.identity());

    assertThat(delivery.destination()).isEqualTo("origin:payments/3@42");
    assertThat(delivery.headers())
        .isEqualTo(
            """
            {"from":"payments","partition":"3","offset":"42","orderingKey":"7",\
            "header:content-type":"text/plain","header:JMSReplyTo":"queue:THEIRS",\
            "header:retry":"1","header:retry#2":"2"}\
            """);
    String kept =
        """
        {"headers":{},"properties":{},\
        "origin":{"from":"payments","partition":"3","offset":"42","orderingKey":"7",\
        "headersLeftOut":"1"},\
        "originHeaders":{"content-type":"string:text/plain","JMSReplyTo":"string:queue:THEIRS",\
        "retry":"string:1","retry#2":"string:2","n":"bytes:AAE=","nothing":null}}\
        """;
    assertThat(delivery.content().get().properties()).isEqualTo(kept);
    assertThat(delivery.metadata().get().properties()).isEqualTo(kept);
  }

  @Test
  void whereAMessageComesFromIsNotPartOfIt() {
    Delivery here =
        RequestReader.read(
            REQUEST.text("x").from("payments", 3, 42).header("a", "b"), UnaryOperator.identity());
    Delivery there =
        RequestReader.read(
            REQUEST.text("x").from("payments", 0, 7).orderedBy("k"), UnaryOperator.identity());

    assertThat(here.id()).isEqualTo(there.id());
    assertThat(here.fingerprint()).isEqualTo(there.fingerprint());
  }

  @Test
  void aQueueHasNoOffsets() {
    Delivery delivery = RequestReader.read(REQUEST.from("PAYMENTS"), UnaryOperator.identity());

    assertThat(delivery.destination()).isEqualTo("origin:PAYMENTS");
    assertThat(delivery.headers()).isEqualTo("{\"from\":\"PAYMENTS\"}");
    assertThat(
            RequestReader.read(REQUEST.from("t".repeat(201), 1, 2), UnaryOperator.identity())
                .destination())
        .isNull();
  }

  @Test
  void theTraceIsOfThePropertiesAsWithJms() {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    Delivery delivery =
        RequestReader.read(
            REQUEST.header("Traceparent", parent).header("tracestate", "congo=t61"),
            UnaryOperator.identity());

    assertThat(delivery.headers()).isEqualTo("{\"traceparent\":\"%s\"}".formatted(parent));
    assertThat(delivery.content().get().properties())
        .isEqualTo(
            "{\"headers\":{},\"properties\":{\"traceparent\":\"string:%s\",\"tracestate\":\"string:congo=t61\"}}"
                .formatted(parent));
  }

  /** In H2 the column has 10,000 characters; all others of JSON's escapes have six. */
  @Test
  void theRowOfAHandledMessageFitsItsColumnWhateverASenderMayChoose() {
    String wide = "\u4e00".repeat(200);
    InboxRequest request =
        REQUEST
            .event(wide)
            .source(wide.substring(100))
            .aggregate(wide, wide, Long.MIN_VALUE)
            .from(wide, Integer.MAX_VALUE, Long.MAX_VALUE)
            .orderedBy(wide)
            .header("traceparent", wide);
    for (int i = 0; i < 100; i++) {
      request = request.header(wide.substring(100) + i, wide);
    }
    assertThat(RequestReader.read(request, UnaryOperator.identity()).headers())
        .hasSizeBetween(8_000, 10_000);
  }

  @Test
  void theRowHasShortHeadersAndAtMostTwoThousandCharactersOfThem() {
    InboxRequest request = REQUEST.header("long", "x".repeat(201));
    for (int i = 10; i < 40; i++) {
      request = request.header("header" + i, "x".repeat(180));
    }
    assertThat(RequestReader.read(request, UnaryOperator.identity()).headers())
        .hasSizeBetween(1_800, 2_100)
        .contains("header10", "header18")
        .doesNotContain("long", "header39");
  }

  @Test
  void aLongPathIsCutBetweenCharacters() {
    String most = "/" + "x".repeat(198);

    assertThat(Json.object(RequestReader.http("GET", most + "\uD83D\uDE00", 200)))
        .containsEntry("httpPath", most);
    assertThat(Json.object(RequestReader.http("GET", most + "yz", 200)))
        .containsEntry("httpPath", most + "y");
  }

  @Test
  void whereThereIsACipherNoHeaderIsStoredInTheClear() {
    Delivery delivery =
        RequestReader.read(
            REQUEST.text("x").from("payments", 3, 42).header("authorization", "Bearer 7"),
            plain -> Keying.keyed(plain, new byte[Keying.KEY_LENGTH]));

    assertThat(delivery.headers())
        .isEqualTo("{\"from\":\"payments\",\"partition\":\"3\",\"offset\":\"42\"}");
    assertThat(delivery.content().get().properties()).contains("Bearer 7");
  }

  @Test
  void aRedriveByJmsHasWhatAJmsMessageWouldHave() throws Exception {
    Content kept =
        RequestReader.read(
                REQUEST
                    .event("PaymentMade")
                    .header("JMSReplyTo", "queue:THEIRS")
                    .header("JMSPriority", "none")
                    .header("content-type", "text/plain")
                    .from("payments", 3, 42)
                    .text("x"),
                UnaryOperator.identity())
            .content()
            .get();
    MessageRebuilder rebuild = new MessageRebuilder(kept);
    FakeContext context = new FakeContext();
    rebuild.message(context.context(), Map.of(), ReplyOnRedrive.KEEP);
    Message made = context.received().as(Message.class);

    assertThat(rebuild.priority()).isEqualTo(Message.DEFAULT_PRIORITY);
    assertThat(made.getJMSReplyTo()).isNull();
    assertThat(made.getObjectProperty("OutboxEventType")).isEqualTo("PaymentMade");
    assertThat(Bodies.names(made.getPropertyNames())).containsExactly("OutboxEventType");
  }

  @Test
  void anEditKeepsOriginAndHeaders() {
    Content kept =
        RequestReader.read(
                REQUEST
                    .from("payments", 3, 42)
                    .header("a", "1")
                    .header("nothing", (byte[]) null)
                    .text("x"),
                UnaryOperator.identity())
            .content()
            .get();
    Content edited =
        ContentEditor.edited(
            kept, MessageEdit.text("y").properties(Map.of("region", "north")), Set.of(), 1_000);

    assertThat(edited.text()).isEqualTo("y");
    assertThat(edited.properties())
        .isEqualTo(
            """
            {"headers":{},"properties":{"region":"string:north"},\
            "origin":{"from":"payments","partition":"3","offset":"42"},\
            "originHeaders":{"a":"string:1","nothing":null}}\
            """);
  }

  @Test
  void theCallersMistakesAreRefused() {
    for (String consumer : new String[] {"", " ", "c".repeat(101), "a\nb"}) {
      assertThatThrownBy(() -> InboxRequest.of(consumer, "id"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 100 characters");
    }
    assertThatThrownBy(() -> REQUEST.deliveries(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestNeverChanges() {
    byte[] body = {1};
    InboxRequest bytes = REQUEST.bytes(body);
    Fingerprint before = fingerprint(bytes);
    body[0] = 2;
    bytes.bytes().orElseThrow()[0] = 3;
    bytes.text("x").event("y");

    assertThat(fingerprint(bytes)).isEqualTo(before);
    assertThat(bytes.event()).isEmpty();
    assertThat(REQUEST.bytes()).isEmpty();
  }

  private static Fingerprint fingerprint(InboxRequest request) {
    return RequestReader.read(request, UnaryOperator.identity()).fingerprint();
  }

  private static QuarantineReason reason(String id) {
    return ((Unusable) RequestReader.read(InboxRequest.of("c", id), UnaryOperator.identity()).id())
        .reason();
  }
}
