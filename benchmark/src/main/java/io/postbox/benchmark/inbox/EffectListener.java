package io.postbox.benchmark.inbox;

import jakarta.annotation.Resource;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The business code that all listeners have: one row for each message, inserted by JDBC. A message
 * that is handled twice fails, because the message's id is the row's key. InboxBenchmark makes the
 * table.
 */
public abstract class EffectListener implements MessageListener {
  private static final String INSERT = "INSERT INTO effect (id, text) VALUES (?, ?)";

  @Resource(lookup = "java:comp/DefaultDataSource")
  private DataSource database;

  @Override
  public void onMessage(Message message) {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, message.getStringProperty("OutboxMessageId"));
      insert.setString(2, message.getBody(String.class));
      insert.executeUpdate();
    } catch (JMSException | SQLException failed) {
      throw new IllegalStateException("A message has no effect", failed);
    }
  }
}
