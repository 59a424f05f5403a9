package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;

/** The other bean on that subscription. */
@Inbox("billing")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationType",
            propertyValue = "jakarta.jms.Topic"))
public class MoreBillingMdb extends Listener {}
