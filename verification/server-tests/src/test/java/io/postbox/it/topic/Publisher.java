package io.postbox.it.topic;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;

/** Publishes to the topic. */
@Singleton
@Startup
public class Publisher {
  @Inject Outbox outbox;

  @PostConstruct
  void makeTable() {
    Database.byDefault()
        .run(
            """
            CREATE TABLE IF NOT EXISTS topic_audit (
              application VARCHAR(100) NOT NULL,
              text        VARCHAR(100) NOT NULL)
            """);
  }

  /** In one transaction. */
  public List<UUID> publish(List<String> texts) {
    return outbox.enqueueAll(
        texts.stream().map(text -> OutboxMessage.to("events").text(text)).toList());
  }

  /** Again, under an id that was sent before. */
  public void publishAgain(UUID id, String text) {
    outbox.enqueue(OutboxMessage.to("events").id(id).text(text));
  }
}
