package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSending.TransportWithinLimit;
import java.util.List;

/** What a pass does beyond the tables, each part within its limit. */
record RelaySends(LimitedTransport transport, LimitedOpening opening) implements LanePass.Sends {
  @Override
  public TransportWithinLimit begin(Lane lane) {
    return transport.begin(lane);
  }

  @Override
  public Opened open(List<StoredMessage> messages) {
    return opening.open(messages);
  }
}
