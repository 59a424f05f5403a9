package io.postbox.browser.deployed;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The payloads that messages refer to: one is its own id, unless the test has it fail. */
@ApplicationScoped
public class Documents implements PayloadLoader {
  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource database;

  @Override
  public Optional<LoadedPayload> load(String table, String id) throws SQLException {
    try (Connection connection = database.getConnection()) {
      boolean isOdd = Integer.parseInt(id) % 2 == 1;
      if (Desk.isBroken(connection, table)
          || Desk.isBroken(connection, table + "/" + id)
          || (isOdd && Desk.isBroken(connection, "odd " + table))) {
        throw new IllegalStateException("%s %s is not written yet".formatted(table, id));
      }
      if (!isOdd && Desk.isBroken(connection, "even " + table)) {
        throw new IllegalArgumentException("%s %s has no price".formatted(table, id));
      }
    }
    return Optional.of(LoadedPayload.text(id));
  }
}
