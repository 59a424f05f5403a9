package io.postbox.it.redeploy;

import io.postbox.inbox.MessageEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.atomic.AtomicInteger;

/** Observes the inbox's events, so that there is a thread that delivers them. */
@ApplicationScoped
public class Listener {
  private final AtomicInteger heard = new AtomicInteger();

  void hear(@Observes MessageEvent event) {
    heard.incrementAndGet();
  }

  /** How many events there were. */
  public int heard() {
    return heard.get();
  }
}
