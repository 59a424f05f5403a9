package io.postbox.outbox.enqueue;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.util.List;

/** No replication slot carries messages that were written: their transaction must not commit. */
public final class UncapturedException extends OutboxException {
  private static final long serialVersionUID = 1L;

  UncapturedException(List<NewMessage> messages, String slot) {
    super(
        "%s is refused, and the transaction is marked for rollback: PostgreSQL has no logical replication slot '%s' (postbox.outbox.relay.slot) in this database, or the slot has lost its place in the log, so no connector would ever send what commits. Start the connector, which creates its slot, or correct the key; https://github.com/postbox/postbox/blob/main/docs/cdc.md has more."
            .formatted(
                messages.size() == 1
                    ? messages.get(0).envelope()
                    : "A list of %s messages that begins with %s"
                        .formatted(messages.size(), messages.get(0).envelope()),
                slot),
        null);
  }
}
