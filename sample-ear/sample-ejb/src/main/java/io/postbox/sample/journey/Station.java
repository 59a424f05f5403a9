package io.postbox.sample.journey;

import java.time.Instant;
import java.util.Optional;

/**
 * A station of an order's journey.
 *
 * @param name which
 * @param state how it stands there
 * @param fact the finer state, in a word that the page explains
 * @param at when that was reached; empty if it is not reached, or the time is not known
 */
public record Station(Name name, State state, String fact, Optional<Instant> at) {

  /** The stations in their order. */
  public enum Name {
    /** The order's transaction. */
    ORDER,
    /** The row of its message. */
    OUTBOX,
    /** The broker. */
    QUEUE,
    /** The check whether the message is known. */
    INBOX,
    /** The handler's work. */
    SHIPMENT,
    /** The message back, which goes the same way. */
    REPLY
  }

  /** How it stands at a station. */
  public enum State {
    /** The order has not come so far. */
    AHEAD,
    /** It is here, and goes on by itself. */
    HERE,
    /** It is here, and waits for something. */
    WAITS,
    /** It is here until a person decides. */
    STOPPED,
    /** It has passed. */
    DONE
  }
}
