package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.KeptWatch;
import io.postbox.inbox.store.CountStore;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;

/** What this node knows of what is kept aside: one statement every five seconds at most. */
@ApplicationScoped
class WatchBean {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxExtension extension;
  @Inject OutsideTransaction outsideTransaction;
  @Inject @Any Instance<CountListener> optionalListeners;

  private KeptWatch watch;
  private List<CountListener> listeners;
  private Rounds rounds;

  @PostConstruct
  void start() {
    Installation installation = extension.installation();
    watch =
        new KeptWatch(
            installation.dataSource(),
            new CountStore(installation.config().tables()),
            MonotonicClock.started());
    listeners = optionalListeners.stream().toList();
    rounds =
        Rounds.start(
            "postbox-inbox-watch " + installation.config().service(),
            PAUSE,
            () -> look(installation));
  }

  void startUp(@Observes Startup event) {}

  private void look(Installation installation) {
    if (installation.stores().isPresent()) {
      watch.look(counts -> listeners.forEach(listener -> listener.counted(counts)));
    }
  }

  /** What the last count found; nothing before the first. */
  KeptCounts last() {
    return watch.last();
  }

  /**
   * Counts now, and not in the caller's transaction, which would see its own rows, and would have
   * to roll back if this fails.
   *
   * @throws InboxException if the tables cannot be read
   */
  KeptCounts now() {
    Installation installation = extension.installation();
    if (installation.stores().isEmpty()) {
      throw new InboxException(
          "The inbox cannot be counted, because it is not ready: " + installation.problem(), null);
    }
    return outsideTransaction.call(watch::now);
  }

  @PreDestroy
  void stop() {
    rounds.stop(PATIENCE); // H2 closes its file when a thread in it is interrupted
  }
}
