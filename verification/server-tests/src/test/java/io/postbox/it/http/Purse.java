package io.postbox.it.http;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where the payments are written. */
@ApplicationScoped
public class Purse {
  private volatile DataSource source;

  public void use(DataSource found) throws SQLException {
    useWithTable(found);
    try (Connection connection = found.getConnection()) {
      connection
          .createStatement()
          .execute("CREATE TABLE IF NOT EXISTS http_payment (body VARCHAR(200))");
    }
  }

  /** Uses one whose database has the table. */
  public void useWithTable(DataSource found) {
    source = found;
  }

  public void pay(String body) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO http_payment VALUES (?)")) {
      insert.setString(1, body);
      insert.executeUpdate();
    }
  }
}
