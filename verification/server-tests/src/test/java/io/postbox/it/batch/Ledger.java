package io.postbox.it.batch;

import io.postbox.inbox.InboxContext;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Books messages in the thread's transaction, and then fails at those that it was told to. */
@ApplicationScoped
public class Ledger {
  private final Set<String> unwanted = ConcurrentHashMap.newKeySet();

  @Inject InboxContext context;

  void makeTable(@Observes Startup event) {
    database()
        .run(
            """
            CREATE TABLE IF NOT EXISTS batch_ledger (
              seq BIGINT GENERATED ALWAYS AS IDENTITY,
              consumer VARCHAR(100) NOT NULL,
              id VARCHAR(200) NOT NULL)
            """);
  }

  /** Fails at a message from now on. */
  public void refuse(String id) {
    unwanted.add(id);
  }

  /** Books it from now on. */
  public void accept(String id) {
    unwanted.remove(id);
  }

  /** Books the message whose handler runs. */
  public String book() {
    String id = context.messageId();
    database().run("INSERT INTO batch_ledger (consumer, id) VALUES (?, ?)", context.consumer(), id);
    if (unwanted.contains(id)) {
      throw new IllegalStateException("unwanted: " + id);
    }
    return "booked " + id;
  }

  /** The messages that a consumer has booked, in the order of their commits. */
  public List<String> booked(String consumer) {
    return database()
        .column("SELECT id FROM batch_ledger WHERE consumer = ? ORDER BY seq", consumer);
  }

  private static Database database() {
    return Database.at(Names.variable("postbox.inbox.data-source"));
  }
}
