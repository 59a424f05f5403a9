package io.postbox.it.events.web;

import io.postbox.it.events.Seen;
import io.postbox.outbox.MessageEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** In the WAR, which sees the outbox but is not seen by it. */
@ApplicationScoped
public class WebObserver {
  @Inject Seen seen;

  void observe(@Observes MessageEvent event) {
    seen.inWar().add(event);
  }
}
