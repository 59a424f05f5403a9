package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxRequest;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageTraceTest {
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void itNamesTheSpanThatSentTheMessageAndTheQueue() throws JMSException {
    Message message =
        FakeMessage.text("x")
            .with("traceparent", PARENT)
            .with("tracestate", "congo=t61")
            .header("JMSDestination", FakeContext.queue("SHIPPING"))
            .as(Message.class);

    assertThat(MessageTrace.of(message))
        .isEqualTo(
            new MessageTrace(
                Optional.of(PARENT),
                Optional.of("congo=t61"),
                Optional.of("jms"),
                Optional.of("SHIPPING")));
  }

  @Test
  void aMessageOfSomebodyElseMayHaveNothingOfThatOrSomethingElse() throws JMSException {
    assertThat(MessageTrace.of(FakeMessage.text("x").as(Message.class)))
        .isEqualTo(
            new MessageTrace(
                Optional.empty(), Optional.empty(), Optional.of("jms"), Optional.empty()));
    assertThat(
            MessageTrace.of(FakeMessage.text("x").with("traceparent", 7).as(Message.class))
                .traceParent())
        .isEmpty();
  }

  @Test
  void aRequestNamesItInItsHeaders() {
    InboxRequest request = InboxRequest.of("payments", "id-1").from("payments", 3, 42);

    assertThat(
            MessageTrace.of(
                request.header("Traceparent", PARENT).header("tracestate", "congo=t61")))
        .contains(
            new MessageTrace(
                Optional.of(PARENT),
                Optional.of("congo=t61"),
                Optional.empty(),
                Optional.of("payments")));
    assertThat(MessageTrace.of(request)).isEmpty();
    assertThat(MessageTrace.of(request.header("traceparent", "00-1-2"))).isEmpty();
  }
}
