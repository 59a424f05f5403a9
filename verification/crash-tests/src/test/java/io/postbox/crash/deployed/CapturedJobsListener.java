package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Beside the sample's listeners: stores jobs, which {@link JobLedger} does later. */
@Inbox(value = "jobs-captured", mode = InboxMode.CAPTURE)
@MessageDriven(
    name = "CapturedJobsMdb",
    activationConfig = {
      @ActivationConfigProperty(
          propertyName = "destinationLookup",
          propertyValue = "jms/jobs-captured"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class CapturedJobsListener implements MessageListener {
  @Override
  public void onMessage(Message message) {} // never runs
}
