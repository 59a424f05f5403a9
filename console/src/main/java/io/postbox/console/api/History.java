package io.postbox.console.api;

import io.postbox.console.http.ConsoleLog;
import io.postbox.console.http.ConsoleSettings;
import io.postbox.console.http.Json;
import io.postbox.console.http.Modules;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The overview's numbers, a row for each minute of the last hour, so that charts begin before a
 * page was opened. They are kept in the tables of one module, where all nodes add to them and a
 * restart finds them. Thread-safe.
 */
@ApplicationScoped
public class History {
  /** How many rows are kept. */
  static final int MOST = 60;

  /** Tells the counters of one process from those of another. */
  static final String NODE = UUID.randomUUID().toString().substring(0, 8);

  /** By minutes since 1970: the nodes add one row for each. */
  private NavigableMap<Long, JsonObject> rows = new TreeMap<>();

  private boolean isRead;
  private boolean isFailing;

  @Inject @Any Instance<ModuleView> modules;
  @Inject ConsoleSettings settings;
  @Inject Modules halves;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  @Nullable ManagedScheduledExecutorService timer;

  private @Nullable Future<?> sampling;

  synchronized void start(@Observes @Initialized(ApplicationScoped.class) Object event) {
    if (settings.enabled() && timer != null && sampling == null) {
      halves.configureLog();
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
    sample(Instant.now(), modules);
  }

  /** Adds a row of what the modules count, and keeps it; says so if it cannot. */
  synchronized void sample(Instant now, Iterable<? extends ModuleView> views) {
    try {
      add(now, views);
      isFailing = false;
    } catch (RuntimeException failed) {
      if (!isFailing) { // once, and not every minute
        isFailing = true;
        ConsoleLog.notSampled(failed);
      }
    }
  }

  private void add(Instant now, Iterable<? extends ModuleView> views) {
    Json row = Json.object().put("now", now).put("node", NODE);
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
    rows.put(minute(now), row.build());
    Optional<? extends ModuleView> keeper = keeper(views);
    if (keeper.isPresent()) {
      NavigableMap<Long, JsonObject> kept = read(keeper.get());
      merge(kept, now);
      if (!rows.equals(kept)) { // or another node was first in this minute
        keeper.get().numbers().keepHistory(Json.list(rows.values()).toString());
      }
    }
  }

  /** The outbox if there is one: both need not keep the same. */
  private static Optional<? extends ModuleView> keeper(Iterable<? extends ModuleView> views) {
    return StreamSupport.stream(views.spliterator(), false)
        .max(Comparator.comparing(ModuleView::module));
  }

  private void merge(Map<Long, JsonObject> kept, Instant now) {
    rows.putAll(kept);
    isRead = true;
    long last = minute(now);
    rows = new TreeMap<>(rows.subMap(last - MOST, false, last, true));
  }

  private static NavigableMap<Long, JsonObject> read(ModuleView keeper) {
    NavigableMap<Long, JsonObject> kept = new TreeMap<>();
    try {
      for (JsonValue each : Json.read(keeper.numbers().history().orElse("[]")).asJsonArray()) {
        JsonObject row = each.asJsonObject();
        kept.put(minute(time(row)), row);
      }
    } catch (JsonException | ClassCastException | DateTimeException notOurs) {
      kept.clear(); // it is replaced
    }
    return kept;
  }

  private static Instant time(JsonObject row) {
    return Instant.parse(row.getString("now", ""));
  }

  private static long minute(Instant time) {
    return time.getEpochSecond() / 60;
  }

  /** The rows after a time, the oldest first. */
  synchronized List<JsonObject> since(
      Instant time, Instant now, Iterable<? extends ModuleView> views) {
    if (!isRead) {
      keeper(views).ifPresent(it -> merge(read(it), now));
    }
    return rows.values().stream().filter(row -> time(row).isAfter(time)).toList();
  }
}
