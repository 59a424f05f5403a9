package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** One of two queues of one consumer. */
@Inbox("both")
@MessageDriven
public class LeftMdb extends Listener {}
