package io.postbox.it.consumers;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** Knows a message by the id that the broker gave it. */
@Inbox(value = "header", idFrom = IdFrom.JMS_MESSAGE_ID)
@MessageDriven
public class HeaderMdb extends Listener {}
