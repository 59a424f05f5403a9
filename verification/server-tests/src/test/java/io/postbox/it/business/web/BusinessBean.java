package io.postbox.it.business.web;

import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.UUID;

/** A CDI bean in a WAR of the EAR. */
@ApplicationScoped
public class BusinessBean {
  @Inject Outbox outbox;

  /** Writes both; fails if told so. */
  @Transactional
  public UUID place(String name, boolean fails) {
    Database.byDefault().run("INSERT INTO business_domain (name) VALUES (?)", name);
    UUID id = outbox.enqueue(OutboxMessage.to("business").text(name));
    if (fails) {
      throw new IllegalArgumentException("the business says no");
    }
    return id;
  }
}
