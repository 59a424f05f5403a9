package shop;

import io.postbox.inbox.Inbox;
import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Books a shipment for each order. */
@Inbox("shipping")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationLookup",
            propertyValue = "jms/shipping"))
public class ShippingMdb implements MessageListener {
  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource dataSource;

  @Override
  public void onMessage(Message message) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO shipment (order_id) VALUES (?)")) {
      insert.setString(1, message.getBody(String.class));
      insert.executeUpdate();
    } catch (SQLException | JMSException failed) {
      throw new IllegalStateException("The shipment was not booked", failed);
    }
  }
}
