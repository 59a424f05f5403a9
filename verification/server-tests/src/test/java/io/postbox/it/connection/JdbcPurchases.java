package io.postbox.it.connection;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import javax.sql.DataSource;

/** An application on plain JDBC. */
@ApplicationScoped
public class JdbcPurchases {
  @Resource(name = "jdbc/injected")
  DataSource injected;

  @Inject Outbox outbox;

  /** Stores a purchase and enqueues a message. */
  @Transactional
  public Sessions buy(String name, String dataSource, String sessionQuery) {
    Database database = Database.at(dataSource);
    database.run("INSERT INTO connection_purchase (name) VALUES (?)", name);
    String domain = database.value(sessionQuery);
    outbox.enqueue(OutboxMessage.to("nowhere").text(name));
    return new Sessions(
        domain,
        new Database(injected).value(sessionQuery),
        Database.at(dataSource).value(sessionQuery));
  }
}
