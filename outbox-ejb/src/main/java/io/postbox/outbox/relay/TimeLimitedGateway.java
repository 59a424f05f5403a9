package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import java.util.List;

/** What a pass does beyond the tables, each part within its limit. */
record TimeLimitedGateway(TimeLimitedTransport transport, BatchPayloadResolver opening)
    implements BatchProcessor.Gateway {
  @Override
  public TransportSession begin(Lane lane) {
    return transport.begin(lane);
  }

  @Override
  public ResolvedBatch open(List<StoredMessage> messages) {
    return opening.open(messages);
  }
}
