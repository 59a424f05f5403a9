package io.postbox.benchmark.inbox;

import io.postbox.benchmark.arrival.Arrivals;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The business code that all listeners have: one row for each message, inserted by JDBC. A message
 * that is handled twice fails, because the message's id is the row's key. InboxBenchmark makes the
 * table.
 */
@ApplicationScoped
public class Effects {
  private static final String INSERT = "INSERT INTO effect (id, text) VALUES (?, ?)";

  @Resource(lookup = "java:comp/DefaultDataSource")
  private DataSource database;

  /** Writes the row in the thread's transaction, and notes when. */
  public void write(String id, String text) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, id);
      insert.setString(2, text);
      insert.executeUpdate();
    }
    Arrivals.arrived(id, System.nanoTime());
  }
}
