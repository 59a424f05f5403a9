package io.postbox.browser.deployed;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles the versions of an aggregate one after the other. */
@Inbox("ledger")
@MessageDriven
public class LedgerMdb implements MessageListener {
  @Inject Desk desk;

  @Override
  public void onMessage(Message message) {
    desk.handle("ledger", message);
  }
}
