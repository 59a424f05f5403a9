package io.postbox.outbox.server;

import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.telemetry.QuietTracing;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.jms.SendTracing;
import io.postbox.outbox.log.OutboxLog;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/** Traces if the server does; a failure of tracing never affects a message. */
@ApplicationScoped
class TracingBean {
  @Inject Instance<Object> beans;

  Optional<Tracing> system = Optional.empty();

  @PostConstruct
  void find() {
    system =
        new ServerTelemetry(beans, OutboxLog.SHARED)
            .tracing()
            .map(found -> new QuietTracing(found, OutboxLog::tracingFailed));
  }

  /** The message with the caller's trace, unless it has one itself. */
  OutboxMessage traced(OutboxMessage message) {
    if (system.isEmpty() || message.traceParent().isPresent()) {
      return message;
    }
    TraceContext caller = system.get().current();
    return caller
        .traceParent()
        .map(parent -> message.trace(parent, caller.traceState().orElse(null)))
        .orElse(message);
  }

  SendTracing sending() {
    return system.map(SendTracing::in).orElse(SendTracing.NONE);
  }
}
