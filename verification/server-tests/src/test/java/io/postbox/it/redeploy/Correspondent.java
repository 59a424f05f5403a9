package io.postbox.it.redeploy;

import io.postbox.common.Page;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;

/** Enqueues what can be sent, and what cannot; receives, and hears of it. */
@Stateless
public class Correspondent {
  @Inject Outbox outbox;
  @Inject InboxGuard inbox;
  @Inject InboxActions actions;
  @Inject QuarantinedMessages quarantined;

  /** One message in a transaction of its own. */
  public void writeTo(String destination) {
    outbox.enqueue(OutboxMessage.to(destination).event("Written").text("hello"));
  }

  /** Takes in one message in a transaction of its own. */
  public void receive(InboxRequest request) {
    inbox.handle(request, () -> request);
  }

  /** Has what is quarantined discarded in the background. */
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public void discard() {
    actions.discard(quarantined.plan(KeptFilter.all()).token().id(), "tried");
  }

  /** How many messages are quarantined. */
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public int quarantined() {
    return quarantined.find(KeptFilter.all(), Page.first(10)).size();
  }

  /** Fails at one message, in a transaction of its own that is rolled back. */
  public void refuse(InboxRequest request) {
    inbox.handle(
        request,
        () -> {
          throw new IllegalStateException("no");
        });
  }
}
