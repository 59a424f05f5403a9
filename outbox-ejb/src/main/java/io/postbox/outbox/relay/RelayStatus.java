package io.postbox.outbox.relay;

import io.postbox.outbox.relay.CircuitBreakers.OpenCircuit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of a node's relay. Times are how long ago something was.
 *
 * @param polled the last successful poll
 * @param circuits that are not closed, by destination
 * @param inHand the partitions that workers are on, by number
 * @param stuck the stuck partitions, by number
 */
public record RelayStatus(
    Optional<Duration> polled,
    List<OpenCircuit> circuits,
    List<InHand> inHand,
    Map<Integer, Duration> stuck) {
  /** Of a node that does not relay, or not yet. */
  public static final RelayStatus NONE =
      new RelayStatus(Optional.empty(), List.of(), List.of(), Map.of());

  /**
   * A partition that a worker is on.
   *
   * @param partition its number
   * @param destinations those of the lanes in hand
   * @param taken how long ago the worker took it
   */
  public record InHand(int partition, List<String> destinations, Duration taken) {}
}
