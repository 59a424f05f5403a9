package io.postbox.benchmark.inbox;

import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;

/** No transaction, and no inbox: the effect commits by itself, and a crash repeats it. */
@MessageDriven
@TransactionManagement(TransactionManagementType.BEAN)
public class UntransactedMdb extends EffectListener {}
