package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.BatchPayloadResolver;
import io.postbox.outbox.payload.ErrorSealer;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All that a batch needs beyond the tables: its payloads, the broker, and the texts of its errors.
 * Thread-safe.
 */
interface Gateway {
  /** Begins a series of sends that share one time limit. */
  TransportSession begin(Lane lane);

  /** Names what this node lacks to resolve a message's payload. */
  default Optional<String> lacksFor(StoredMessage message) {
    return Optional.empty();
  }

  /** Resolves the payloads that a row does not hold as they are sent. */
  default ResolvedBatch resolve(List<StoredMessage> messages) {
    return ResolvedBatch.unchanged(messages);
  }

  /** The text to store of each error of messages to a destination. */
  default Map<RecordedError, String> seal(String destination, Collection<RecordedError> errors) {
    return errors.stream()
        .distinct()
        .collect(Collectors.toMap(Function.identity(), RecordedError::text));
  }

  /** With a time limit for each. */
  static Gateway timeLimited(
      TimeLimitedTransport transport, BatchPayloadResolver resolver, ErrorSealer sealer) {
    return new Gateway() {
      @Override
      public TransportSession begin(Lane lane) {
        return transport.begin(lane);
      }

      @Override
      public Optional<String> lacksFor(StoredMessage message) {
        return resolver.lacksFor(message);
      }

      @Override
      public ResolvedBatch resolve(List<StoredMessage> messages) {
        return resolver.resolve(messages);
      }

      @Override
      public Map<RecordedError, String> seal(String destination, Collection<RecordedError> errors) {
        return sealer.seal(destination, errors);
      }
    };
  }
}
