package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import org.jspecify.annotations.Nullable;

/** What must stay in order: a destination and a key. */
record Line(String destination, @Nullable String orderingKey) {

  static Line of(StoredMessage message) {
    return new Line(message.destination(), message.envelope().orderingKey());
  }

  boolean isOrdered() {
    return orderingKey != null;
  }
}
