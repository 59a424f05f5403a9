package io.postbox.outbox.server;

import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.ops.Policies;
import io.postbox.outbox.server.OutboxDatabase.Part;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class PoliciesBean implements OutboxPolicies {
  @Inject OutboxDatabase database;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  private Part<Policies> policies;

  @PostConstruct
  void wire() {
    policies =
        database.whenReady(dialect -> new Policies(database.policies(), database.dataSource()));
  }

  @Override
  public void set(String destination, OutboxPolicy policy, String reason) {
    policies.get().set(destination, policy, caller.get().name(), reason);
  }

  @Override
  public boolean reset(String destination, String reason) {
    return policies.get().reset(destination, caller.get().name(), reason);
  }

  @Override
  public List<RuntimePolicy> list() {
    return policies.get().list();
  }
}
