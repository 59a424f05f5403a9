package io.postbox.it.serializable;

import io.postbox.inbox.Inbox;
import io.postbox.it.tools.Database;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Every message changes the one row that all of them change. */
@Inbox("till")
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class TillMdb implements MessageListener {
  @Override
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public void onMessage(Message message) {
    database().run("UPDATE serializable_till SET coins = coins + 1");
  }

  /** Where the till is. */
  private static Database database() {
    return Database.at("jdbc/pg-serializable");
  }
}
