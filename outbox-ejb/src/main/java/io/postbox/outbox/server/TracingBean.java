package io.postbox.outbox.server;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.jms.SendTracing;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Traces if the server does; a failure of tracing never affects a message. */
@ApplicationScoped
class TracingBean implements SendTracing {
  /** A tracing system, for enqueueing and sending. Thread-safe. */
  interface Tracing extends SendTracing {
    /** The message with the calling thread's trace, if there is one. */
    OutboxMessage traced(OutboxMessage message);
  }

  @Inject @Any Instance<Tracing> systems;

  private Optional<Tracing> system = Optional.empty();

  @PostConstruct
  void find() {
    system = systems.isResolvable() ? Optional.of(systems.get()) : Optional.empty();
  }

  /** The message with the caller's trace, unless it has one itself. */
  OutboxMessage traced(OutboxMessage message) {
    if (system.isEmpty() || message.traceParent().isPresent()) {
      return message;
    }
    try {
      return system.get().traced(message);
    } catch (RuntimeException
        | LinkageError failed) { // a failure of tracing must not cost a message
      OutboxLog.tracingFailed(failed);
      return message;
    }
  }

  @Override
  public Attempt begin(StoredMessage message, @Nullable String traceState) {
    if (system.isPresent()) {
      try {
        Attempt attempt = system.get().begin(message, traceState);
        return new Attempt(
            attempt.traceParent(), attempt.traceState(), end -> quietly(attempt, end));
      } catch (RuntimeException
          | LinkageError failed) { // a failure of tracing must not cost a message
        OutboxLog.tracingFailed(failed);
      }
    }
    return NONE.begin(message, traceState);
  }

  private static void quietly(Attempt attempt, @Nullable Throwable end) {
    try {
      attempt.end().ended(end);
    } catch (RuntimeException
        | LinkageError failed) { // a failure of tracing must not cost a message
      OutboxLog.tracingFailed(failed);
    }
  }
}
