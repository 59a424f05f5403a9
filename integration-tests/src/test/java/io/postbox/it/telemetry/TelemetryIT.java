package io.postbox.it.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.outbox.OutboxMessage;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class TelemetryIT {
  private static final String GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Inject TracedSender sender;

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
            "none",
            "otel.metrics.exporter",
            "none",
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
}
