package io.postbox.benchmark.shop;

import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.SQLException;

/** Ships what was ordered, in the transaction of the delivery. */
@MessageDriven
public class BareShippingMdb implements MessageListener {
  @Inject private Shop shop;

  @Override
  public void onMessage(Message message) {
    Parcel parcel = Parcel.in(message);
    try {
      shop.ship(parcel.order(), parcel.sku(), parcel.quantity());
    } catch (SQLException failed) {
      throw new IllegalStateException("Not shipped: " + parcel, failed);
    }
  }
}
