package io.postbox.it.inboxevents;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageProcessed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.inject.Inject;
import java.util.concurrent.CountDownLatch;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.microprofile.config.ConfigProvider;

/** One that throws, one that waits, one that asks where it is, and one that is asynchronous. */
@ApplicationScoped
public class Observers {
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  @Inject Seen seen;

  void throwing(@Observes MessageEvent event) {
    if (event.consumer().equals("throwing")) {
      seen.add("throwing", event);
      throw new IllegalStateException("the observer of " + service() + " always fails");
    }
  }

  void slow(@Observes MessageProcessed event) throws InterruptedException {
    if (event.consumer().equals("slow")) {
      mayGoOn.await();
      seen.add("slow", event);
    }
  }

  void naming(@Observes MessageProcessed event) throws NamingException {
    if (event.consumer().equals("naming")) {
      String application = (String) new InitialContext().lookup("java:app/AppName");
      CDI.current().select(Seen.class).get().add("in " + application, event);
    }
  }

  void async(@ObservesAsync MessageEvent event) {
    seen.add("async", event);
  }

  private static String service() {
    return ConfigProvider.getConfig().getValue("postbox.service", String.class);
  }

  /** Lets the slow one go on. */
  public void goOn() {
    mayGoOn.countDown();
  }
}
