package io.postbox.inbox;

import io.postbox.common.ServiceNode;
import java.time.Instant;
import java.util.List;

/**
 * A node of the service, as it last reported. All times are by the database's clock. Each list has
 * at most 100 entries.
 *
 * @param name unique: process id, host and a random part, which changes with each start; {@code
 *     node} in {@code inbox_attempt}
 * @param host the machine's name
 * @param version Postbox's version
 * @param startedAt when the application started there
 * @param aliveAt when the node reported this
 * @param readAt when the report was read, so that ages do not depend on the reader's clock
 * @param alive whether it has reported within the last 15 seconds
 * @param consumers the consumers of its application, by name, with those that requests are
 *     remembered under
 * @param recordedDeliveries the deliveries in hand that were recorded before they were handled,
 *     because their message may have ended a process
 * @param triesSuspect whether it handles a message alone that may have ended a process; other
 *     redeliveries wait
 * @param recordsAll whether it records every delivery, because two nodes ended without an orderly
 *     stop soon after each other, as was noticed within the last ten minutes
 * @param findings the names of what its guarantee check found at start
 * @param notChecked the names of findings for which this server cannot be asked
 */
public record InboxNode(
    String name,
    String host,
    String version,
    Instant startedAt,
    Instant aliveAt,
    Instant readAt,
    boolean alive,
    List<RunningConsumer> consumers,
    int recordedDeliveries,
    boolean triesSuspect,
    boolean recordsAll,
    List<String> findings,
    List<String> notChecked)
    implements ServiceNode {

  /** Keeps copies. */
  public InboxNode {
    consumers = List.copyOf(consumers);
    findings = List.copyOf(findings);
    notChecked = List.copyOf(notChecked);
  }

  /**
   * A consumer on a node.
   *
   * @param consumer its name
   * @param running how many handlers were running
   * @param workers how many threads were ready to handle its captured messages, or to release
   *     versions
   * @param missingWorkers how many more there should be
   */
  public record RunningConsumer(String consumer, int running, int workers, int missingWorkers) {}
}
