package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Beside the sample's listeners: handles the versions of aggregates in their order. */
@Inbox("versions")
@MessageDriven(
    name = "VersionsMdb",
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/versions"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class VersionsListener implements MessageListener {
  @Inject VersionLedger ledger;

  @Override
  public void onMessage(Message message) {
    try {
      ledger.write(
          message.getStringProperty("OutboxAggregateId"),
          message.getLongProperty("OutboxAggregateVersion"));
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
