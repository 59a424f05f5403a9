package shop;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.annotation.Resource;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Books a shipment in the transaction that records the message's id. */
@MessageDriven
@Inbox("shipping")
public class Shipping implements MessageListener {
  @Resource DataSource database;
  @Inject InboxContext inbox;

  @Override
  public void onMessage(Message message) {
    String sku = inbox.payload(Orders.OrderPlaced.class).sku();
    try (var connection = database.getConnection();
        var insert = connection.prepareStatement("INSERT INTO shipment (sku) VALUES (?)")) {
      insert.setString(1, sku);
      insert.executeUpdate();
      System.out.println("Shipped " + sku);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
