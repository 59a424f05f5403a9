package io.postbox.outbox.server;

import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.telemetry.QuietTracing;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.log.OutboxLog;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;

/** Traces if the server does; a failure of tracing never affects a message. */
@ApplicationScoped
class TracingBean {
  @Inject Instance<Object> beans;

  Tracing system = Tracing.NONE;

  @PostConstruct
  void find() {
    system =
        new ServerTelemetry(beans, OutboxLog.SHARED)
            .tracing()
            .<Tracing>map(found -> new QuietTracing(found, OutboxLog::tracingFailed))
            .orElse(Tracing.NONE);
  }

  /** The message with the caller's trace, unless it has one itself. */
  OutboxMessage traced(OutboxMessage message) {
    if (message.traceParent().isPresent()) {
      return message;
    }
    TraceContext caller = system.current();
    return caller
        .traceParent()
        .map(parent -> message.trace(parent, caller.traceState().orElse(null)))
        .orElse(message);
  }

  Tracing system() {
    return system;
  }
}
