package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.common.testing.FakeTracing;
import io.postbox.outbox.OutboxMessage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TracingBeanTest {
  private static final OutboxMessage MESSAGE = OutboxMessage.to("d").text("x");

  private final FakeTracing tracing = new FakeTracing();
  private final TracingBean bean = new TracingBean();

  @Test
  void aMessageIsEnqueuedInTheCallersTraceUnlessItNamesOne() {
    bean.system = tracing;
    tracing.current = new TraceContext(Optional.of("00-1"), Optional.of("congo=t61"));
    assertThat(bean.traced(MESSAGE).traceParent()).contains("00-1");
    assertThat(bean.traced(MESSAGE).traceState()).contains("congo=t61");
    OutboxMessage other = MESSAGE.trace("00-2");
    assertThat(bean.traced(other)).isSameAs(other);
    tracing.current = TraceContext.NONE;
    assertThat(bean.traced(MESSAGE)).as("outside of any trace").isSameAs(MESSAGE);
  }

  @Test
  void withoutATracingSystemAMessageStaysAsItIs() {
    assertThat(bean.traced(MESSAGE)).isSameAs(MESSAGE);
    assertThat(bean.system()).isSameAs(Tracing.NONE);
  }
}
