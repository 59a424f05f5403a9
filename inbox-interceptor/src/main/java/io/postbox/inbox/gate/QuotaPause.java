package io.postbox.inbox.gate;

import io.postbox.common.platform.Endpoints;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Limit;
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
  private final Function<String, Endpoints> endpoints;
  private final Map<Limit, Set<String>> paused = new HashMap<>();

  /**
   * @param endpoints returns the endpoints that deliver to a consumer
   */
  public QuotaPause(Function<String, Endpoints> endpoints) {
    this.endpoints = endpoints;
  }

  /**
   * Pauses and resumes endpoints.
   *
   * @param full the limits because of which endpoints have to be paused
   */
  public void look(Set<Limit> full) {
    for (Limit limit : List.copyOf(paused.keySet())) {
      if (!full.contains(limit)) {
        resume(limit, stillNeeded(full));
      }
    }
    for (Limit limit : full) { // last: one may need what was just resumed
      pause(limit);
    }
  }

  private Set<String> stillNeeded(Set<Limit> full) {
    Set<String> needed = new TreeSet<>();
    paused.forEach(
        (limit, ids) -> {
          if (full.contains(limit)) {
            needed.addAll(ids);
          }
        });
    return needed;
  }

  private void pause(Limit limit) {
    String consumer = limit.consumer();
    Endpoints own = endpoints.apply(consumer);
    for (String id : new ArrayList<>(own.running())) {
      if (!own.isBusy(id)) {
        own.pause(id);
        if (paused.computeIfAbsent(limit, unknown -> new TreeSet<>()).add(id)) {
          if (limit.kind() == Kind.CAPTURED) {
            CaptureLog.paused(id, consumer);
          } else {
            WatchLog.pausedFull(id, consumer);
          }
        }
      }
    }
  }

  private void resume(Limit limit, Set<String> stillNeeded) {
    String consumer = limit.consumer();
    Set<String> ids = paused.get(limit);
    if (ids == null) {
      return;
    }
    for (String id : List.copyOf(ids)) {
      if (!stillNeeded.contains(id)) {
        endpoints.apply(consumer).resume(id);
        if (limit.kind() == Kind.CAPTURED) {
          CaptureLog.resumed(id, consumer);
        } else {
          WatchLog.resumedWithRoom(id, consumer);
        }
      }
      ids.remove(id);
    }
    paused.remove(limit);
  }
}
