package io.postbox.outbox.server;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.jms.SendTracing;

/** A tracing system, on both sides of the outbox. Thread-safe. */
interface Tracing extends SendTracing {
  /** The message, in the trace that the calling thread is in, if it is in one. */
  OutboxMessage traced(OutboxMessage message);
}
