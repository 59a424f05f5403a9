package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;

/** On a subscription that it shares with another bean of its consumer. */
@Inbox("billing")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationType",
            propertyValue = "jakarta.jms.Topic"))
public class BillingMdb extends Listener {}
