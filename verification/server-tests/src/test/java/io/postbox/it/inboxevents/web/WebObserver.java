package io.postbox.it.inboxevents.web;

import io.postbox.inbox.MessageEvent;
import io.postbox.it.inboxevents.Seen;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** In the WAR, which sees the inbox but is not seen by it. */
@ApplicationScoped
public class WebObserver {
  @Inject Seen seen;

  void observe(@Observes MessageEvent event) {
    seen.add("web", event);
  }
}
