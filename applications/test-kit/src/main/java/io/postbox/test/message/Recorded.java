package io.postbox.test.message;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A message that was enqueued.
 *
 * @param message as the caller gave it
 * @param stored as the outbox would store it
 * @param isInTransaction whether a simulated transaction was active
 */
public record Recorded(OutboxMessage message, NewMessage stored, boolean isInTransaction) {
  private static final int SHOWN = 500;

  /** Its id. */
  public UUID id() {
    return stored.envelope().id();
  }

  /** Its payload as text: octets as hexadecimal digits, a reference by its name. */
  public String payload() {
    Body body = stored.envelope().body();
    if (body instanceof Body.Text text) {
      return text.value();
    }
    if (body instanceof Body.Bytes octets) {
      return HexFormat.of().formatHex(octets.value());
    }
    Body.Reference reference = (Body.Reference) body; // nothing is encrypted here
    return reference.table() + "/" + reference.id();
  }

  /** One line for failure texts, payload included. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder("to ").append(message.destination());
    message.event().ifPresent(event -> line.append(": ").append(event));
    message
        .aggregate()
        .ifPresent(it -> line.append(" of ").append(it.type()).append('/').append(it.id()));
    message.orderingKey().ifPresent(key -> line.append(", ordered by ").append(key));
    if (!message.properties().isEmpty()) {
      line.append(", properties ").append(message.properties());
    }
    String payload = payload();
    return line.append(", payload ")
        .append(payload.length() > SHOWN ? payload.substring(0, SHOWN) + "…" : payload)
        .toString();
  }
}
