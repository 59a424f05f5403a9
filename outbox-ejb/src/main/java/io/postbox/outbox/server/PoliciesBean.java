package io.postbox.outbox.server;

import io.postbox.common.RuntimePolicy;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.ops.Policies;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

@ApplicationScoped
class PoliciesBean extends OperatorBean implements OutboxPolicies {
  @Override
  public void set(String destination, OutboxPolicy policy, String reason) {
    policies().set(destination, policy, caller(), reason);
  }

  @Override
  public boolean reset(String destination, String reason) {
    return policies().reset(destination, caller(), reason);
  }

  @Override
  public List<RuntimePolicy<OutboxPolicy>> list() {
    return policies().list();
  }

  private Policies policies() {
    database.dialect(); // not before the tables are in order
    return new Policies(database.policies(), database.dataSource());
  }
}
