package io.postbox.outbox.ops;

import io.postbox.outbox.config.Destinations;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The health data. Any caller may read them, so they contain only fixed texts, numbers, times and
 * configured names; reasons, and names from messages or operators, are in the log.
 *
 * @param destinations the configured destinations
 * @param stuck the stuck partitions, and since when
 * @param waiting unavailable destinations
 * @param paused paused destinations; {@code *} means all destinations
 * @param redirected redirected destinations
 * @param estimated destinations with more messages than are counted
 * @param isUncounted whether the table cannot be counted
 * @param backlog the warning limits in force
 * @param refusal the hard limits in force
 * @param isSlotMissing whether enqueue fails for want of a replication slot
 * @param findings the names of the guarantee check's findings
 */
public record HealthData(
    Destinations destinations,
    Map<Integer, Instant> stuck,
    Collection<String> waiting,
    Collection<String> paused,
    Collection<String> redirected,
    Collection<String> estimated,
    boolean isUncounted,
    Optional<String> backlog,
    Optional<String> refusal,
    boolean isSlotMissing,
    List<String> findings) {
  private static final String ALL = "*";

  /** Names and values. */
  public Map<String, String> data() {
    Map<String, String> data = new LinkedHashMap<>();
    stuck.forEach(
        (partition, since) ->
            data.put(
                "stuck: partition " + partition,
                "held since %s; the log has the query that finds the holder (OBX0016)"
                    .formatted(since)));
    tell(data, "waiting", waiting, "it cannot be reached; the log says why (OBX0004)");
    tell(data, "paused", paused, "an operator has paused it; the log says who and why (OBX0022)");
    tell(
        data,
        "redirected",
        redirected,
        "its messages are redirected; the log says where and why (OBX0072)");
    tell(
        data,
        "estimated",
        estimated,
        "it has more messages than are counted; its numbers are estimates");
    backlog.ifPresent(limits -> data.put("backlog", limits));
    if (isUncounted) {
      data.put(
          "count",
          "the table cannot be counted, so gauges keep their last values, and the backlog's limits neither warn nor refuse once the last count is too old; the log says why (OBX0012)");
    }
    refusal.ifPresent(limits -> data.put("enqueue refuses", limits));
    if (isSlotMissing) {
      data.put(
          "slot",
          "no replication slot carries messages to the connector, so every enqueue fails; the log says more (OBX0065)");
    }
    if (!findings.isEmpty()) {
      data.put("findings", String.join(", ", findings));
    }
    return data;
  }

  /** Lists configured destinations by name, and counts the others. */
  private void tell(Map<String, String> data, String what, Collection<String> names, String words) {
    long others = 0;
    for (String name : new TreeSet<>(names)) {
      if (name.equals(ALL) || destinations.isConfigured(name)) {
        data.put(what + ": " + name, words);
      } else {
        others++;
      }
    }
    if (others > 0) {
      data.put(what + ", without a configured name", String.valueOf(others));
    }
  }
}
