package io.postbox.benchmark.inbox;

import jakarta.ejb.MessageDriven;

/** Effect and acknowledgement in one transaction of the container, and no inbox. */
@MessageDriven
public class BareMdb extends EffectListener {}
