package io.postbox.inbox.check;

import io.postbox.common.check.Finding;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import java.util.List;

/** Settings that belong to nobody. */
public final class ConsumerKeyRules {
  private ConsumerKeyRules() {}

  /**
   * Settings of consumers that the application does not have.
   *
   * @param config what the inbox was told
   * @param deployed who there is
   */
  public static List<Finding> findings(InboxConfig config, DeployedConsumers deployed) {
    return deployed.unclaimed(config.consumers().keySet()).stream()
        .map(
            nobody ->
                new Finding(
                    "consumer-key",
                    nobody
                        + ". The setting means nothing here. Write the name as the annotation does;"
                        + " and what is meant for another application of this server belongs into"
                        + " the <appProperties> of that one."))
        .toList();
  }
}
