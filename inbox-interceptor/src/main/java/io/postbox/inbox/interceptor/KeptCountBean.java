package io.postbox.inbox.interceptor;

import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.gate.QuotaPause;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.KeptWatch;
import io.postbox.inbox.receiver.Quotas;
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
import org.jspecify.annotations.Nullable;

/** What this node knows of what is kept aside: one statement every five seconds at most. */
@ApplicationScoped
class KeptCountBean {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxExtension extension;
  @Inject SuspendedTransaction outsideTransaction;
  @Inject @Any Instance<CountListener> optionalListeners;

  @Inject DeliveryGateBean gate;

  private @Nullable KeptWatch watch;
  private QuotaPause pause;
  private List<CountListener> listeners;
  private PeriodicTask rounds;

  @PostConstruct
  void start() {
    InboxDatabase installation = extension.deployment().installation();
    pause = new QuotaPause(gate::endpointsOf);
    listeners = optionalListeners.stream().toList();
    rounds =
        PeriodicTask.start(
            "postbox-inbox-watch " + installation.config().service(),
            PAUSE,
            () -> look(installation));
  }

  void startUp(@Observes Startup event) {}

  private void look(InboxDatabase installation) {
    if (installation.stores().isPresent()) {
      watch(installation).look(counts -> counted(installation.quotas(), counts));
    }
  }

  private void counted(Quotas quotas, KeptCounts counts) {
    quotas.counted(counts.used());
    pause.look(quotas.toBePaused());
    listeners.forEach(listener -> listener.counted(counts));
  }

  /** Made when the database is known. */
  private synchronized KeptWatch watch(InboxDatabase installation) {
    KeptWatch made = watch;
    if (made == null) {
      made =
          new KeptWatch(
              installation.dataSource(),
              new CountStore(installation.dialect().orElseThrow(), installation.config().tables()),
              MonotonicClock.started());
      watch = made;
    }
    return made;
  }

  /** What the last count found; nothing before the first. */
  synchronized KeptCounts last() {
    return watch == null ? KeptCounts.NOTHING : watch.last();
  }

  /**
   * Counts now, and not in the caller's transaction, which would see its own rows, and would have
   * to roll back if this fails.
   *
   * @throws InboxException if the tables cannot be read
   */
  KeptCounts now() {
    InboxDatabase installation = extension.deployment().installation();
    if (installation.stores().isEmpty()) {
      throw new InboxException(
          "The inbox cannot be counted, because it is not ready: " + installation.problem(), null);
    }
    KeptWatch ready = watch(installation);
    return outsideTransaction.call(ready::now);
  }

  @PreDestroy
  void stop() {
    rounds.stop(PATIENCE); // H2 closes its file when a thread in it is interrupted
  }
}
