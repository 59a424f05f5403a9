package io.postbox.inbox.kept;

import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.ops.Policies;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

@ApplicationScoped
class PoliciesBean extends OperatorBean implements InboxPolicies {
  @Inject InboxDeployment deployment;

  @Override
  public void set(String consumer, RetryPolicy policy, String reason) {
    policies().set(consumer, policy, caller(), reason);
  }

  @Override
  public boolean reset(String consumer, String reason) {
    return policies().reset(consumer, caller(), reason);
  }

  @Override
  public List<RuntimePolicy<RetryPolicy>> list() {
    return policies().list();
  }

  private Policies policies() {
    return new Policies(
        database.policies(),
        database.calls("The policies can be neither read nor changed"),
        deployment.deployedConsumers());
  }
}
