package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;

/** On a subscription of its own to the same topic. */
@Inbox("mailing")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationType",
            propertyValue = "jakarta.jms.Topic"))
public class MailingMdb extends Listener {}
