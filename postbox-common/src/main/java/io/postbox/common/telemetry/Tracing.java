package io.postbox.common.telemetry;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A tracing system, which makes what is done with a message part of its trace. Thread-safe. */
public interface Tracing {
  /** Traces nothing. */
  Tracing NONE =
      new Tracing() {
        @Override
        public TraceContext current() {
          return TraceContext.NONE;
        }

        @Override
        public Optional<Span> begin(Start start) {
          return Optional.empty();
        }
      };

  /** What is done with the message. */
  enum Kind {
    /** It is sent. */
    SEND,
    /**
     * The broker delivers it to its handler. A Java agent, or a server that traces deliveries, has
     * made such a span before, and has it current on the delivery's thread, which has no other. So
     * there is no second one if any is current.
     */
    DELIVERY,
    /**
     * Another method calls its handler. There is no span if the current one is of the message's
     * trace; one of another trace, such as the job's that received the message, is linked.
     */
    CALL
  }

  /**
   * A span that is to begin.
   *
   * @param name by OpenTelemetry's conventions, as those of the attributes
   * @param parent what came before it in the message's trace
   */
  record Start(Kind kind, String name, TraceContext parent, Map<String, String> attributes) {
    /** Keeps a copy. */
    public Start {
      attributes = Map.copyOf(attributes);
    }
  }

  /** A span. Not thread-safe. */
  interface Span {
    /** The context that a message carries on. */
    TraceContext context();

    /** Makes it current on the calling thread, which ends it. Called once at most. */
    void enter();

    /**
     * Ends it, and with it that it is current. Called once.
     *
     * @param failure why it failed, or {@code null} if it did not
     */
    void end(@Nullable Throwable failure);
  }

  /** The calling thread's place in a trace. */
  TraceContext current();

  /** Begins a span, unless somebody else traces the same. */
  Optional<Span> begin(Start start);
}
