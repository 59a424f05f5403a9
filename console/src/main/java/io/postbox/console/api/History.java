package io.postbox.console.api;

import io.postbox.console.http.ConsoleSettings;
import io.postbox.console.http.Json;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The overview's numbers, a row for each minute of the last hour on this node, so that charts begin
 * before a page was opened. Kept in memory: it begins anew with the process. Thread-safe.
 */
@ApplicationScoped
public class History {
  /** How many rows are kept. */
  static final int MOST = 60;

  private final Deque<Row> rows = new ArrayDeque<>();

  @Inject @Any Instance<ModuleView> modules;
  @Inject ConsoleSettings settings;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  @Nullable ManagedScheduledExecutorService timer;

  private record Row(Instant at, JsonObject json) {}

  private @Nullable Future<?> sampling;

  synchronized void start(@Observes @Initialized(ApplicationScoped.class) Object event) {
    if (settings.enabled() && timer != null && sampling == null) {
      sampling = timer.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.MINUTES);
    }
  }

  @PreDestroy
  synchronized void stop() {
    if (sampling != null) {
      sampling.cancel(true);
    }
  }

  private void sample() {
    try {
      add(Instant.now(), modules);
    } catch (RuntimeException unread) {
      return; // the charts have a gap there, and every page that is open says why
    }
  }

  /** Adds a row of what the modules count. */
  synchronized void add(Instant at, Iterable<? extends ModuleView> views) {
    Json row = Json.object().put("now", at);
    for (ModuleView view : views) {
      Json numbers = Json.object();
      view.counts()
          .forEach(
              (name, value) -> {
                if (value.getValueType() == JsonValue.ValueType.NUMBER) {
                  numbers.put(name, value);
                }
              });
      row.put(view.module(), numbers.build());
    }
    rows.add(new Row(at, row.build()));
    if (rows.size() > MOST) {
      rows.remove();
    }
  }

  /** The rows after a time, the oldest first. */
  synchronized List<JsonObject> since(Instant time) {
    return rows.stream().filter(row -> row.at().isAfter(time)).map(Row::json).toList();
  }
}
