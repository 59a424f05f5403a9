package io.postbox.outbox;

import io.postbox.common.ServiceNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node of the service, as it last reported. All times are by the database's clock. Each list has
 * at most 100 entries.
 *
 * @param name unique: process id, host and a random part, which changes with each start
 * @param host the machine's name
 * @param version Postbox's version
 * @param startedAt when the application started there
 * @param aliveAt when the node reported this
 * @param readAt when the report was read, so that ages do not depend on the reader's clock
 * @param alive whether it has reported within the last 15 seconds
 * @param relay whether it sends messages
 * @param workers how many partitions it works on at once, at most; 0 if it does not send
 * @param polledAt when it last polled successfully; empty if it has not, or does not send
 * @param breakers the destinations whose circuit was not closed, the longest open first
 * @param claims the partitions that its workers were on, the longest first
 * @param stuckPartitions the partitions that it found stuck, the longest first
 * @param findings the names of what its guarantee check found at start
 * @param notChecked the names of findings for which this server cannot be asked
 */
public record OutboxNode(
    String name,
    String host,
    String version,
    Instant startedAt,
    Instant aliveAt,
    Instant readAt,
    boolean alive,
    RelayState relay,
    int workers,
    Optional<Instant> polledAt,
    List<OpenBreaker> breakers,
    List<Claim> claims,
    List<StuckPartition> stuckPartitions,
    List<String> findings,
    List<String> notChecked)
    implements ServiceNode {

  /** Keeps copies. */
  public OutboxNode {
    breakers = List.copyOf(breakers);
    claims = List.copyOf(claims);
    stuckPartitions = List.copyOf(stuckPartitions);
    findings = List.copyOf(findings);
    notChecked = List.copyOf(notChecked);
  }

  /** Whether a node sends messages. */
  public enum RelayState {
    /** It sends. */
    ON,
    /** It does not: {@code postbox.outbox.relay.enabled=false}. */
    OFF,
    /** No node does: {@code postbox.outbox.relay.mode=cdc}, so a connector sends. */
    CDC
  }

  /** A circuit that is not closed. */
  public enum BreakerState {
    /** No message is sent to the destination. */
    OPEN,
    /** One message at a time may be sent, as a probe. */
    HALF_OPEN
  }

  /**
   * A destination that was at fault, so that its messages wait.
   *
   * @param destination the logical name
   * @param state of the circuit
   * @param since when the circuit opened
   * @param probeAt from when a message may test the destination
   * @param failures how many batches or probes have failed in a row
   * @param error the last error: type and message of the exceptions, at most 500 characters; a note
   *     if it is encrypted and cannot be decrypted here
   */
  public record OpenBreaker(
      String destination,
      BreakerState state,
      Instant since,
      Instant probeAt,
      int failures,
      String error) {}

  /**
   * A partition that a worker was on: it tries to claim it, or sends its messages.
   *
   * @param partition its number
   * @param destinations those of the lanes in hand, at most 10
   * @param since when the worker took it
   */
  public record Claim(int partition, List<String> destinations, Instant since) {
    /** Keeps a copy. */
    public Claim {
      destinations = List.copyOf(destinations);
    }
  }

  /**
   * A partition that another transaction holds without sending its messages.
   *
   * @param partition its number
   * @param since when the node was first refused
   */
  public record StuckPartition(int partition, Instant since) {}
}
