package io.postbox.inbox.gate;

import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.WatchLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Pauses the endpoints of consumers that have reached a limit, and resumes them when there is room
 * again. An endpoint is paused once its handlers are idle; until then, messages beyond the limit
 * are throttled. Called by one thread.
 */
public final class QuotaPause {
  private final Limit limit;
  private final Function<String, Endpoints> endpoints;
  private final Map<String, Set<String>> paused = new HashMap<>();

  /** A limit that a consumer can reach. */
  public enum Limit {
    /** The quota of the messages that are kept aside. */
    QUOTA,
    /** The limit of the captured messages that wait. */
    BACKLOG
  }

  /**
   * @param limit the limit that they have reached, for the log
   * @param endpoints returns the endpoints that deliver to a consumer
   */
  public QuotaPause(Limit limit, Function<String, Endpoints> endpoints) {
    this.limit = limit;
    this.endpoints = endpoints;
  }

  /**
   * Pauses and resumes endpoints.
   *
   * @param full the consumers whose endpoints have to be paused
   */
  public void look(Set<String> full) {
    for (String consumer : List.copyOf(paused.keySet())) {
      if (!full.contains(consumer)) {
        resume(consumer, stillNeeded(full));
      }
    }
    for (String consumer : full) { // last: one may need what was just resumed
      pause(consumer);
    }
  }

  private Set<String> stillNeeded(Set<String> full) {
    Set<String> needed = new TreeSet<>();
    paused.forEach(
        (consumer, ids) -> {
          if (full.contains(consumer)) {
            needed.addAll(ids);
          }
        });
    return needed;
  }

  private void pause(String consumer) {
    Endpoints own = endpoints.apply(consumer);
    for (String id : new ArrayList<>(own.running())) {
      if (!own.isBusy(id)) {
        own.pause(id);
        if (paused.computeIfAbsent(consumer, unknown -> new TreeSet<>()).add(id)) {
          switch (limit) {
            case QUOTA -> WatchLog.pausedFull(id, consumer);
            case BACKLOG -> CaptureLog.paused(id, consumer);
          }
        }
      }
    }
  }

  private void resume(String consumer, Set<String> stillNeeded) {
    Set<String> ids = paused.get(consumer);
    if (ids == null) {
      return;
    }
    for (String id : List.copyOf(ids)) {
      if (!stillNeeded.contains(id)) {
        endpoints.apply(consumer).resume(id);
        switch (limit) {
          case QUOTA -> WatchLog.resumedWithRoom(id, consumer);
          case BACKLOG -> CaptureLog.resumed(id, consumer);
        }
      }
      ids.remove(id);
    }
    paused.remove(consumer);
  }
}
