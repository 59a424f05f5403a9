package io.postbox.it.telemetry;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.postbox.inbox.InboxRequest;
import io.postbox.it.frame.Archives;
import io.postbox.it.telemetry.HandlerSpans.HandlerSpan;
import io.postbox.it.telemetry.TracedGuard.Spans;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.outbox.OutboxMessage;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class TelemetryIT {
  private static final String GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Inject TracedSender sender;
  @Inject HandlerSpans handlers;
  @Inject TracedGuard guard;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        TelemetryIT.class,
        "telemetry",
        Archives.settings(
            "telemetry",
            "otel.sdk.disabled",
            "false",
            "otel.traces.exporter",
            "console",
            "otel.metrics.exporter",
            "console",
            "otel.metric.export.interval",
            "2000",
            "postbox.metrics",
            "opentelemetry",
            "otel.logs.exporter",
            "none"));
  }

  private static String traceParent() throws JMSException {
    return Broker.receive("jms/captured").getStringProperty("traceparent");
  }

  @Test
  void aMessageBelongsToTheTraceOfItsSenderAndNamesTheSpanThatSentIt() throws JMSException {
    String[] business = sender.send(OutboxMessage.to("captured").text("x")).split("/");
    assertThat(business[0]).matches("[0-9a-f]{32}").isNotEqualTo("0".repeat(32));
    assertThat(traceParent())
        .matches("00-" + business[0] + "-[0-9a-f]{16}-01")
        .doesNotContain(business[1]);
  }

  @Test
  void aTraceThatTheSenderNamesComesFirst() throws JMSException {
    sender.send(OutboxMessage.to("captured").trace(GIVEN).text("x"));
    assertThat(traceParent()).startsWith(GIVEN.substring(0, 36)).isNotEqualTo(GIVEN);
  }

  @Test
  void aHandlerRunsInAConsumerSpanBelowTheOneThatSentItsMessage() throws JMSException {
    String[] business = sender.send(OutboxMessage.to("traced").text("x")).split("/");
    eventually(() -> assertThat(handlers.all()).hasSize(1));
    HandlerSpan handler = handlers.all().get(0);

    assertThat(handler.trace()).isEqualTo(business[0]);
    assertThat(handler.traceParent())
        .startsWith("00-" + business[0] + "-")
        .doesNotContain(handler.span());
    assertThat(traceParent()).as("the follow-up").startsWith("00-" + business[0] + "-");
    eventually(
        () ->
            assertThat(
                    Log.ofServer()
                        .lines("'process TRACED' : " + handler.trace() + " " + handler.span()))
                .singleElement(STRING)
                .contains(
                    " CONSUMER [tracer: io.postbox.inbox:]",
                    "messaging.system=jms",
                    "messaging.operation.type=process",
                    "messaging.destination.name=TRACED",
                    "messaging.consumer.group.name=traced"));
  }

  @Test
  void aRequestWithATraceIsHandledInItAndAnyOtherInItsCallers() {
    InboxRequest request =
        InboxRequest.of("guarded", UUID.randomUUID().toString()).from("PAYMENTS", 3, 42);

    Spans traced = guard.bring(request.header("traceparent", GIVEN));
    assertThat(traced.handler()).startsWith(GIVEN.substring(3, 35)).isNotEqualTo(traced.caller());
    String[] handler = traced.handler().split("/");
    eventually(
        () ->
            assertThat(
                    Log.ofServer().lines("'process PAYMENTS' : " + handler[0] + " " + handler[1]))
                .singleElement(STRING)
                .contains("messaging.consumer.group.name=guarded")
                .doesNotContain("messaging.system"));

    Spans plain =
        guard.bring(InboxRequest.of("guarded", UUID.randomUUID().toString()).from("PAYMENTS"));
    assertThat(plain.handler()).isEqualTo(plain.caller());
  }

  @Test
  void metricsAreExportedByOpenTelemetryAndAreNotInTheServersRegistry() throws JMSException {
    sender.send(OutboxMessage.to("captured").text("x"));
    Broker.receive("jms/captured");

    eventually(
        () -> {
          assertThat(exported("postbox.outbox.relayed")).contains("unit=,", "value=");
          assertThat(exported("postbox.outbox.oldest_pending")).contains("unit=s,");
          assertThat(exported("postbox.outbox.relay")).contains("unit=s,", "HISTOGRAM");
          assertThat(exported("postbox.inbox.processed")).contains("consumer=\"traced\"");
          assertThat(exported("postbox.inbox.kept")).contains("unit=By,");
        });
    assertThat(Endpoint.metrics(Integer.parseInt(Names.variable("http.port"))))
        .noneMatch(line -> line.contains("service=\"telemetry\""));
  }

  /** The last lines of the log about this application's metric. */
  private String exported(String metric) {
    return String.join("\n", Log.ofServer().lines("name=" + metric + ",", "service=\"telemetry\""));
  }
}
