package io.postbox.sample.billing;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * Receives what was shipped. The inbox only stores these messages; its workers call {@link
 * BillingService#book} later.
 */
@Inbox(value = "billing", mode = InboxMode.CAPTURE)
@MessageDriven(
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/billing"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class BillingMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {} // never runs
}
