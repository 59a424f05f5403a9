package io.postbox.it.inboxevents;

import io.postbox.inbox.MessageEvent;
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
