package io.postbox.it.consumers;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** Knows a message by its text. */
@Inbox(value = "resolved", idFrom = IdFrom.RESOLVER, resolver = TextAsId.class)
@MessageDriven
public class ResolvedMdb extends Listener {}
