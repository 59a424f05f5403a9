package io.postbox.inbox.kept;

import io.postbox.common.RetryPolicy;
import io.postbox.common.ops.PolicyCache;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.ops.Policies;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Suspends the caller's transaction, and passes on the caller's principal. Reads the policies of
 * all nodes every few seconds, on a thread of its own: other work may take longer than that.
 */
@ApplicationScoped
class PoliciesBean implements InboxPolicies {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject CallerPrincipal caller;

  private @Nullable PeriodicTask rounds;

  synchronized void startUp(@Observes Startup event) {
    if (rounds == null) {
      rounds =
          PeriodicTask.start(
              "postbox-inbox-policies " + database.config().service(),
              PolicyCache.INTERVAL,
              this::read);
    }
  }

  /** Once deliveries or health checks have found the tables in order. */
  private void read() {
    if (database.stores().isPresent()) {
      database.policies().cache().refresh();
    }
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public void set(String consumer, RetryPolicy policy, String reason) {
    policies().set(consumer, policy, caller.name(), reason);
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public boolean reset(String consumer, String reason) {
    return policies().reset(consumer, caller.name(), reason);
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public List<RuntimePolicy> list() {
    return policies().list();
  }

  private Policies policies() {
    return new Policies(
        database.policies(),
        database.calls("The policies can be neither read nor changed"),
        deployment.deployedConsumers());
  }

  @PreDestroy
  void stop() {
    PeriodicTask running;
    synchronized (this) {
      running = rounds;
    }
    if (running != null) {
      running.stop(PATIENCE); // no interrupt: H2 would close its file
    }
  }
}
