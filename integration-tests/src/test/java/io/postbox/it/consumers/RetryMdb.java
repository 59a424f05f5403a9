package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** What comes to billing again, because it failed. */
@Inbox("billing")
@MessageDriven
public class RetryMdb extends Listener {}
