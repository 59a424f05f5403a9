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
 * What health data tell. Whoever may ask for them may be anybody, so they have fixed words,
 * numbers, times, and names that were configured; why something is so, and names that came with
 * messages or from people, are in the log.
 *
 * @param destinations which are configured
 * @param stuck partitions that somebody holds without working on them, and since when
 * @param waiting destinations that cannot be reached
 * @param paused destinations that somebody has switched off; {@code *} stands for all
 * @param redirected destinations whose messages go elsewhere
 * @param estimated destinations of which more messages are there than are counted
 * @param isUncounted whether the table cannot be counted
 * @param backlog which limits that warn are in force
 * @param refusal which limits that refuse are in force
 * @param findings the names of what the guarantee check found
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
    tell(data, "paused", paused, "somebody has paused it; the log says who and why (OBX0022)");
    tell(
        data,
        "redirected",
        redirected,
        "its messages go elsewhere; the log says where and why (OBX0072)");
    tell(data, "estimated", estimated, "more is there than is counted; its numbers are estimates");
    backlog.ifPresent(limits -> data.put("backlog", limits));
    if (isUncounted) {
      data.put(
          "count",
          "the table cannot be counted, so gauges stand still, and limits of the backlog neither warn nor refuse once the last count is too old; the log says why (OBX0012)");
    }
    refusal.ifPresent(limits -> data.put("enqueue refuses", limits));
    if (!findings.isEmpty()) {
      data.put("findings", String.join(", ", findings));
    }
    return data;
  }

  /** Those that are configured by name, the others by their number. */
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
