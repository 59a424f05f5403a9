package io.postbox.crash.deployed;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** In the place of the sample's listener of shipments: outside of any transaction. */
@MessageDriven(
    name = "ShippingMdb",
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/shipping"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class OutsideListener implements MessageListener {
  @Inject OutsideDesk desk;

  @Override
  public void onMessage(Message message) {
    desk.receive(message);
  }
}
