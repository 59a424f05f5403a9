package io.postbox.benchmark.inbox;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** The inbox's row and effect in a transaction that the inbox begins; acknowledged afterwards. */
@Inbox("own")
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class OwnMdb extends EffectListener {}
