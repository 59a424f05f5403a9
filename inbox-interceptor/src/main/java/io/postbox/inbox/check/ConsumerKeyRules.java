package io.postbox.inbox.check;

import io.postbox.common.check.Finding;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import java.util.List;

/** Finds settings of unknown consumers. */
public final class ConsumerKeyRules {
  private ConsumerKeyRules() {}

  /**
   * Settings of consumers that the application does not have.
   *
   * @param config the inbox's configuration
   * @param deployed the application's consumers
   */
  public static List<Finding> findings(InboxConfig config, DeployedConsumers deployed) {
    return deployed.unclaimed(config.consumers().keySet()).stream()
        .map(
            nobody ->
                new Finding(
                    "consumer-key",
                    nobody
                        + ". The setting has no effect. Write the name as in the annotation; move settings for another application of this server to that application's <appProperties>."))
        .toList();
  }
}
