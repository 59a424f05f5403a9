package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** The other queue. */
@Inbox("both")
@MessageDriven
public class RightMdb extends Listener {}
