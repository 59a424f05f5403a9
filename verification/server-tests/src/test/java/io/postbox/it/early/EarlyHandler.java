package io.postbox.it.early;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.context.ApplicationScoped;

/** The handler of captured messages. */
@ApplicationScoped
public class EarlyHandler {
  @InboxHandler("early-captured")
  public void handle(CapturedMessage message) {
    EarlySeen.note(
        "early-captured",
        String.valueOf(message.properties().get("OutboxAggregateId")),
        ((Number) message.properties().get("OutboxAggregateVersion")).longValue());
  }
}
