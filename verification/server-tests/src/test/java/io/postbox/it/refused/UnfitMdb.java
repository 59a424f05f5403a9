package io.postbox.it.refused;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Would commit apart from the inbox. */
@Inbox("unfit")
@MessageDriven
@TransactionManagement(TransactionManagementType.BEAN)
public class UnfitMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {}
}
