package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** The same for messages that are captured first: {@link VersionLedger} handles them. */
@Inbox(value = "versions-captured", mode = InboxMode.CAPTURE)
@MessageDriven(
    name = "CapturedVersionsMdb",
    activationConfig = {
      @ActivationConfigProperty(
          propertyName = "destinationLookup",
          propertyValue = "jms/versions-captured"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class CapturedVersionsListener implements MessageListener {
  @Override
  public void onMessage(Message message) {} // never runs
}
