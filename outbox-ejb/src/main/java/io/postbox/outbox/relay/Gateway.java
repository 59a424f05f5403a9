package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.BatchPayloadResolver;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import java.util.List;
import java.util.Optional;

/** All that a batch needs beyond the tables: its payloads, and the broker. Thread-safe. */
interface Gateway {
  /** Begins a series of sends that share one time limit. */
  TransportSession begin(Lane lane);

  /** Whether a row does not hold the message's payload as it is sent. */
  default boolean mustResolve(StoredMessage message) {
    return false;
  }

  /** Names what this node lacks to resolve a message's payload. */
  default Optional<String> lacksFor(StoredMessage message) {
    return Optional.empty();
  }

  /** Resolves the payloads that a row does not hold as they are sent. */
  default ResolvedBatch resolve(List<StoredMessage> messages) {
    return ResolvedBatch.unchanged(messages);
  }

  /** With a time limit for each. */
  static Gateway timeLimited(TimeLimitedTransport transport, BatchPayloadResolver resolver) {
    return new Gateway() {
      @Override
      public TransportSession begin(Lane lane) {
        return transport.begin(lane);
      }

      @Override
      public boolean mustResolve(StoredMessage message) {
        return resolver.mustResolve(message);
      }

      @Override
      public Optional<String> lacksFor(StoredMessage message) {
        return resolver.lacksFor(message);
      }

      @Override
      public ResolvedBatch resolve(List<StoredMessage> messages) {
        return resolver.resolve(messages);
      }
    };
  }
}
