package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** Receives the retries of billing. */
@Inbox("billing")
@MessageDriven
public class RetryMdb extends Listener {}
