package io.postbox.browser.deployed;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Writes down which message a consumer has handled, in the delivery's transaction. */
@ApplicationScoped
public class Desk {
  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource database;

  /**
   * Handles a message.
   *
   * @throws IllegalStateException as long as the test has the consumer fail
   */
  void handle(String consumer, Message message) {
    try (Connection connection = database.getConnection()) {
      if (isBroken(connection, consumer)) {
        throw new IllegalStateException(
            "The account of message "
                + message.getStringProperty("OutboxMessageId")
                + " is closed");
      }
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO walk_arrival (consumer, message_id, content) VALUES (?, ?, ?)")) {
        insert.setString(1, consumer);
        insert.setString(2, message.getStringProperty("OutboxMessageId"));
        insert.setString(3, ((TextMessage) message).getText());
        insert.executeUpdate();
      }
    } catch (SQLException | JMSException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Whether the test has this fail. */
  static boolean isBroken(Connection connection, String name) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT 1 FROM walk_broken WHERE name = ?")) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next();
      }
    }
  }
}
