package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;

/** Beside the sample's listeners: does jobs. */
@Inbox("jobs")
@MessageDriven(
    name = "JobsMdb",
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/jobs"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class JobsListener implements MessageListener {
  @Inject JobLedger ledger;
  @Inject InboxContext inbox;

  @Override
  public void onMessage(Message message) {
    try {
      ledger.run("jobs", inbox.messageId(), ((TextMessage) message).getText());
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
