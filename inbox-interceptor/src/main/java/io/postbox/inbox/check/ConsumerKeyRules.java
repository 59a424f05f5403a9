package io.postbox.inbox.check;

import io.postbox.common.check.Finding;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds settings and memories of unknown consumers. */
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
                        + ". The setting has no effect. Write the name as in the annotation; move"
                        + " settings for another application of this server to that application's"
                        + " <appProperties>."))
        .toList();
  }

  /**
   * Consumers whose messages the inbox remembers, and that are not there any more: they may have
   * another name now. Nothing is found if only the application's code knows its consumers.
   *
   * @param remembered of which the tables hold ids of messages
   * @param deployed the application's consumers
   * @param elsewhere the consumers of other nodes that are alive
   */
  public static List<Finding> forgotten(
      Collection<String> remembered, DeployedConsumers deployed, Collection<String> elsewhere) {
    if (deployed.others()) {
      return List.of();
    }
    SortedSet<String> gone = new TreeSet<>(remembered);
    gone.removeAll(deployed.names());
    gone.removeAll(elsewhere);
    return gone.isEmpty()
        ? List.of()
        : List.of(
            new Finding(
                "unknown-consumer",
                "The inbox remembers messages of consumers that no node has: %s. If one has another name now, a duplicate of such a message is handled again under it, and its order of versions begins anew: stop the nodes, and carry its memory over as https://github.com/postbox/postbox/blob/main/docs/handling.md#renaming-a-consumer says. If it was retired, there is nothing to do; this finding ends when its ids have passed their retention."
                    .formatted(String.join(", ", gone))));
  }
}
