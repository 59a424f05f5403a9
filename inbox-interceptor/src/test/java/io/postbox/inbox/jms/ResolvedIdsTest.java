package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResolvedIdsTest {
  private static final Consumer RESOLVED =
      new Consumer("shipping", IdFrom.RESOLVER, "", OfTest.class);

  private interface OfTest extends MessageIdResolver {}

  @Test
  void theIdIsWhatTheResolverOfTheConsumerFinds() throws JMSException {
    Delivery delivery =
        DeliveryReader.read(
            RESOLVED,
            FakeMessage.text("order 7").as(Message.class),
            type -> {
              assertThat(type).isEqualTo(OfTest.class);
              return message -> message.getBody(String.class);
            },
            PROOFS,
            Long.MAX_VALUE,
            UnaryOperator.identity());

    assertThat(delivery.id()).isEqualTo(new Known("order 7"));
  }

  @Test
  void theBodyCanBeReadFromTheStartAfterTheResolver() throws JMSException {
    BytesMessage bytes = FakeMessage.bytes((byte) 7, (byte) 8).as(BytesMessage.class);
    MessageIdResolver reader =
        message -> {
          byte[] first = new byte[1];
          ((BytesMessage) message).readBytes(first);
          return "id-" + first[0];
        };

    Delivery delivery =
        DeliveryReader.read(
            RESOLVED, bytes, type -> reader, PROOFS, Long.MAX_VALUE, UnaryOperator.identity());

    assertThat(delivery.id()).isEqualTo(new Known("id-7"));
    byte[] all = new byte[2];
    assertThat(bytes.readBytes(all)).isEqualTo(2);
    assertThat(all).containsExactly(7, 8);
    assertThat(
            DeliveryReader.read(
                    RESOLVED,
                    bytes,
                    type -> reader,
                    PROOFS,
                    Long.MAX_VALUE,
                    UnaryOperator.identity())
                .fingerprint())
        .isEqualTo(delivery.fingerprint())
        .isEqualTo(Fingerprints.ofBytes(all));
  }

  @Test
  void anInvalidIdIsUnusable() throws JMSException {
    assertThat(unusable(null)).isEqualTo(QuarantineReason.MISSING_ID);
    assertThat(unusable("")).isEqualTo(QuarantineReason.BLANK_ID);
    assertThat(unusable("a\u0000")).isEqualTo(QuarantineReason.MALFORMED_ID);
    assertThat(unusable("i".repeat(201))).isEqualTo(QuarantineReason.ID_TOO_LONG);
  }

  @Test
  void aResolverThatFailsByItselfHasTheMessageQuarantinedAndItIsLogged() throws JMSException {
    try (LogLines log = new LogLines()) {
      MessageId id =
          read(
              message -> {
                throw new NumberFormatException("For input string");
              });

      assertThat(id).isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
      assertThat(log.all())
          .singleElement()
          .asString()
          .startsWith("IBX0086 ")
          .contains("'shipping'", "NumberFormatException");
    }
  }

  @Test
  void aResolverWithoutAnAnswerHasTheMessageRedelivered() {
    JMSException provider = new JMSException("the provider fails");
    assertThatThrownBy(
            () ->
                read(
                    message -> {
                      throw provider;
                    }))
        .isSameAs(provider);
    for (RuntimeException passing :
        List.of(
            new IllegalStateException(provider),
            new IllegalStateException(new SQLException("connection lost")),
            new UncheckedIOException(new SocketTimeoutException("time-out")),
            new UncheckedIOException(new ConnectException("refused")),
            new JMSRuntimeException("the provider fails"))) {
      assertThatThrownBy(
              () ->
                  read(
                      message -> {
                        throw passing;
                      }))
          .isSameAs(passing);
    }
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void aBodyOfAnotherFormThanExpectedHasTheMessageQuarantined(Exception refusal)
      throws JMSException {
    MessageId id =
        read(
            message -> {
              if (refusal instanceof RuntimeException unchecked) {
                throw unchecked;
              }
              throw (JMSException) refusal;
            });

    assertThat(id).isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
  }

  static List<Exception> refusals() {
    MessageFormatException otherBody = new MessageFormatException("not a text");
    return List.of(
        otherBody,
        new MessageEOFException("too short"),
        new MessageFormatRuntimeException("not a text"),
        new IllegalStateException(otherBody),
        new UncheckedIOException(new EOFException("cut off")),
        new IllegalArgumentException(new JsonProblem()));
  }

  /** A common parser throws such an IOException. */
  private static final class JsonProblem extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static QuarantineReason unusable(@Nullable String found) throws JMSException {
    return ((Unusable) read(message -> found)).reason();
  }

  private static MessageId read(MessageIdResolver resolver) throws JMSException {
    return DeliveryReader.read(
            RESOLVED,
            FakeMessage.text("x").as(Message.class),
            type -> resolver,
            PROOFS,
            Long.MAX_VALUE,
            UnaryOperator.identity())
        .id();
  }
}
