package io.postbox.benchmark.shop;

import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.SQLException;

/** Marks orders as shipped, in the transaction of the delivery. */
@MessageDriven
public class BareOrdersMdb implements MessageListener {
  @Inject private Shop shop;

  @Override
  public void onMessage(Message message) {
    Parcel parcel = Parcel.in(message);
    try {
      shop.shipped(parcel.order());
    } catch (SQLException failed) {
      throw new IllegalStateException("Not marked: " + parcel, failed);
    }
  }
}
