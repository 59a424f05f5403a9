package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadReaderTest {
  private static final String ID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

  private final List<String> texts = new ArrayList<>();
  private final PayloadReader payloads = new PayloadReader(this::parse);

  /** Stands in for JSON-B: its order is a number. */
  private <T> @Nullable T parse(String json, Class<T> type) {
    texts.add(json);
    if (json.equals("null")) {
      return null;
    }
    try {
      return type.cast(Integer.valueOf(json.strip()));
    } catch (NumberFormatException malformed) {
      throw new IllegalArgumentException(malformed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON ; charset=utf-8",
        "application/cloudevents+json",
        "text/json",
        "text/plain",
        "application/octet-stream"
      })
  void aTypeThatIsJsonOrSaysNothingIsRead(String contentType) throws JMSException {
    assertThat(read(FakeMessage.text("7").with("OutboxContentType", contentType))).isEqualTo(7);
    assertThat(read(FakeMessage.bytes((byte) '7').with("OutboxContentType", contentType)))
        .isEqualTo(7);
  }

  @Test
  void aMessageWithoutAContentTypeIsRead() throws JMSException {
    assertThat(read(FakeMessage.text("7"))).isEqualTo(7);
  }

  @Test
  void aByteOrderMarkIsSkipped() throws JMSException {
    assertThat(read(FakeMessage.text("\uFEFF7"))).isEqualTo(7);
    assertThat(read(FakeMessage.bytes((byte) 0xEF, (byte) 0xBB, (byte) 0xBF, (byte) '7')))
        .isEqualTo(7);
  }

  @Test
  void theRefusalOfAnotherTypeNamesEverythingThatMattersAndReadsNothing() {
    assertThatThrownBy(
            () ->
                read(
                    FakeMessage.text("7")
                        .with("OutboxContentType", "application/xml")
                        .with("OutboxSchemaVersion", "3")))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessage(
            "Message "
                + ID
                + " for the consumer 'shipping' cannot be read as java.lang.Integer: its content"
                + " type is not JSON (content type application/xml, schema version 3). Nothing was"
                + " done with it; it is parked, unless the handler catches this and reads the body"
                + " in another way.");
    assertThat(texts).isEmpty();
  }

  @Test
  void aMalformedBodyIsRejectedWithItsCauseAndWithoutItsPayload() {
    assertThatThrownBy(() -> read(FakeMessage.text("secret")))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining(
            "its body is not the JSON of such an object (content type not stated, schema version"
                + " not stated)")
        .hasMessageNotContaining("secret")
        .hasCauseInstanceOf(NumberFormatException.class);
  }

  @Test
  void aJsonNullIsRejected() {
    assertThatThrownBy(() -> read(FakeMessage.text("null")))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("its body is the JSON value null");
  }

  @Test
  void octetsThatAreNotUtf8AreRejectedRatherThanReplaced() {
    assertThatThrownBy(() -> read(FakeMessage.bytes((byte) 0xC3, (byte) 0x28)))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("its octets are not UTF-8");
  }

  @Test
  void otherBodiesAreRejected() {
    assertThatThrownBy(() -> read(FakeMessage.map(Map.of("a", 1))))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("its body is neither text nor octets but of the type MAP");
    assertThatThrownBy(() -> read(FakeMessage.none()))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("of the type NONE");
    assertThatThrownBy(() -> read(FakeMessage.text(null)))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("of the type TEXT");
    assertThatThrownBy(() -> read(FakeMessage.object()))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("a serialised Java object");
  }

  @Test
  void aMessageOfOctetsIsBackAtItsFirst() throws JMSException {
    BytesMessage message =
        FakeMessage.bytes((byte) '7').with("OutboxMessageId", ID).as(BytesMessage.class);
    byte[] all = new byte[2];

    assertThat(payloads.read(delivery(message), Integer.class)).isEqualTo(7);
    assertThat(message.readBytes(all)).isEqualTo(1);
    assertThat(payloads.read(delivery(message), Integer.class)).isEqualTo(7);
  }

  @Test
  void theSchemaVersionIsReadWhereItIsStated() throws JMSException {
    FakeMessage stated = FakeMessage.text("7").with("OutboxSchemaVersion", "2");

    assertThat(payloads.schemaVersion(delivery(stated))).contains("2");
    assertThat(payloads.schemaVersion(delivery(FakeMessage.text("7")))).isEmpty();
    assertThat(payloads.schemaVersion(delivery(FakeMessage.object()))).isEmpty();
  }

  @Test
  void aRequestWithoutJmsIsReadByItsHeaders() {
    InboxRequest request = InboxRequest.of("shipping", "id-1");
    byte[] octets = "7".getBytes(StandardCharsets.UTF_8);

    assertThat(
            payloads.read(
                RequestReader.read(request.text("7"), UnaryOperator.identity()), Integer.class))
        .isEqualTo(7);
    assertThat(
            payloads.read(
                RequestReader.read(
                    request.bytes(octets).header("Content-Type", "application/json"),
                    UnaryOperator.identity()),
                Integer.class))
        .isEqualTo(7);
    Delivery avro =
        RequestReader.read(
            request
                .bytes(octets)
                .header("content-type", "application/avro")
                .header("OutboxSchemaVersion", "4"),
            UnaryOperator.identity());
    assertThatThrownBy(() -> payloads.read(avro, Integer.class))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageStartingWith("Message id-1 for the consumer 'shipping'")
        .hasMessageContaining("(content type application/avro, schema version 4)");
    assertThat(payloads.schemaVersion(avro)).contains("4");
  }

  private Integer read(FakeMessage message) throws JMSException {
    return payloads.read(delivery(message), Integer.class);
  }

  private static Delivery delivery(FakeMessage message) throws JMSException {
    return delivery(message.with("OutboxMessageId", ID).as(Message.class));
  }

  private static Delivery delivery(Message message) throws JMSException {
    return DeliveryReader.read(
        new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""),
        message,
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        TestProofs.PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }
}
