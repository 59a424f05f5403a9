package io.postbox.inbox.check;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.message.Consumer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Finds settings that break the guarantee for every message, so that the application must not
 * start.
 */
public final class Refusals {
  private Refusals() {}

  /**
   * Why the application must not start; empty if it may.
   *
   * @param config the inbox's configuration
   * @param consumers the annotated consumers
   * @param acknowledgesEarly whether the broker's resource adapter is known to acknowledge messages
   *     before they are handled
   */
  public static List<String> of(
      InboxConfig config, Collection<Consumer> consumers, boolean acknowledgesEarly) {
    List<String> refusals = new ArrayList<>();
    if (acknowledgesEarly && !consumers.isEmpty()) {
      refusals.add(
          "the resource adapter of postbox.inbox.connection-factory=%s, or of a consumer's, has preAcknowledge=\"true\", with which the broker considers a message handled before it delivers it: a message that fails or meets a crash is lost. Remove preAcknowledge from the resourceAdapter"
              .formatted(config.connectionFactory()));
    }
    if (config.tablePartitioning() == TablePartitioning.DAILY) {
      consumers.stream()
          .filter(consumer -> consumer.idFrom() == IdFrom.JMS_MESSAGE_ID)
          .map(Consumer::name)
          .distinct()
          .sorted()
          .map(
              "postbox.inbox.table-partitioning=daily needs ids that are UUIDs of version 7, and the consumer '%s' has idFrom = JMS_MESSAGE_ID, which never is one: each of its messages would be quarantined. Set postbox.inbox.table-partitioning=none, or let the producer set an id (idFrom = PROPERTY, or the outbox's)"
                  ::formatted)
          .forEach(refusals::add);
    }
    return List.copyOf(refusals);
  }

  /**
   * Why the inbox cannot remember HTTP requests.
   *
   * @param consumers under whose names they are remembered
   */
  public static List<String> ofRequests(InboxConfig config, Collection<String> consumers) {
    if (config.tablePartitioning() != TablePartitioning.DAILY) {
      return List.of();
    }
    return consumers.stream()
        .distinct()
        .sorted()
        .map(
            "postbox.inbox.table-partitioning=daily needs ids that are UUIDs of version 7, and the keys of HTTP requests, which @Idempotent(\"%s\") remembers, are what clients choose: no such request could be handled. Set postbox.inbox.table-partitioning=none, or give these requests to an application of their own"
                ::formatted)
        .toList();
  }
}
