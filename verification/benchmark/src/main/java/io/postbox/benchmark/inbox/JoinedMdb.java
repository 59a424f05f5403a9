package io.postbox.benchmark.inbox;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;

/** The inbox's row, effect and acknowledgement in one transaction of the container. */
@Inbox("joined")
@MessageDriven
public class JoinedMdb extends EffectListener {}
