package io.postbox.it.events;

import io.postbox.outbox.MessageEvent;
import io.postbox.outbox.MessageSent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import java.util.concurrent.CountDownLatch;

/** One that throws, one that waits, and one that is asynchronous. */
@ApplicationScoped
public class Observers {
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  @Inject Seen seen;

  void throwing(@Observes MessageEvent event) {
    if (isAbout(event, "throwing")) {
      seen.byThrowing().add(event);
      throw new IllegalStateException("this observer always fails");
    }
  }

  void slow(@Observes MessageSent event) throws InterruptedException {
    if (isAbout(event, "slow")) {
      mayGoOn.await();
      seen.bySlow().add(event);
    }
  }

  void async(@ObservesAsync MessageEvent event) {
    seen.byAsync().add(event);
  }

  /** Lets the slow one go on. */
  public void goOn() {
    mayGoOn.countDown();
  }

  private static boolean isAbout(MessageEvent event, String name) {
    return event.eventType().filter(name::equals).isPresent();
  }
}
