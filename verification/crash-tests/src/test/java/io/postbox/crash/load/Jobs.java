package io.postbox.crash.load;

import io.postbox.testkit.model.Event.JobsEnqueued;
import io.postbox.testkit.model.History;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The jobs of a campaign, over all rounds, and the troubles that they meet with. Thread-safe. */
final class Jobs {
  private static final String JOBS = "/jobs/";

  private final History history;
  private final Set<Long> enqueued = new HashSet<>();
  private final Set<Long> discarded = new HashSet<>();
  private long last;
  private int lots;

  Jobs(History history) {
    this.history = history;
  }

  /**
   * Jobs that are enqueued together, under one event type.
   *
   * @param key their ordering key; empty if they have none
   * @param isOrdered whether the destination's key is held by a dead letter at all times
   */
  record Lot(String name, String destination, String key, boolean isOrdered, List<Long> jobs) {}

  synchronized Lot lot(String destination, boolean hasKey, boolean isOrdered, int size) {
    String name = "lot-" + ++lots;
    return new Lot(name, destination, hasKey ? "key-" + lots : "", isOrdered, numbers(size));
  }

  /** More of the same lot and key. */
  synchronized Lot more(Lot lot, int size) {
    return new Lot(lot.name(), lot.destination(), lot.key(), lot.isOrdered(), numbers(size));
  }

  private List<Long> numbers(int size) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      numbers.add(++last);
    }
    return List.copyOf(numbers);
  }

  void enqueue(URI base, Lot lot) throws IOException {
    List<String> ids =
        send(
            base,
            lot,
            "enqueue?destination=%s&lot=%s&key=%s&jobs=%s"
                .formatted(
                    lot.destination(),
                    lot.name(),
                    lot.key(),
                    lot.jobs().stream().map(String::valueOf).collect(Collectors.joining(","))));
    if (ids.isEmpty()) {
      throw new IOException("Nobody knows whether " + lot + " was enqueued");
    }
  }

  /** One past the outbox, for whose answer nobody waits. */
  void ask(URI base, Lot lot) throws IOException {
    String id = UUID.randomUUID().toString();
    send(base, lot, "ask?lot=%s&job=%s&id=%s".formatted(lot.name(), lot.jobs().get(0), id));
  }

  private List<String> send(URI base, Lot lot, String request) {
    Duration asked = history.now();
    List<String> ids = List.of();
    try {
      HttpResponse<String> answer = Http.post(base.resolve(JOBS + request), "");
      if (answer.statusCode() == 200) {
        ids =
            answer.body().isEmpty()
                ? List.of(request.substring(request.lastIndexOf('=') + 1))
                : List.of(answer.body().split(","));
      }
    } catch (IOException unanswered) {
      // the server may have died
    }
    history.note(
        new JobsEnqueued(
            history.now(), asked, lot.destination(), lot.key(), lot.isOrdered(), lot.jobs(), ids));
    if (!ids.isEmpty()) {
      synchronized (this) {
        enqueued.addAll(lot.jobs());
      }
    }
    return ids;
  }

  /**
   * Has a lot or a job fail.
   *
   * @param place in the {@code loader} of its payload or in its {@code handler}
   */
  void trouble(URI base, String place, String name, String kind) throws IOException {
    require(base, "trouble?place=%s&name=%s&kind=%s".formatted(place, name, kind));
  }

  /** Lets it work again; {@code %} all of them. */
  void mend(URI base, String name) throws IOException {
    require(base, "mend?name=" + name.replace("%", "%25"));
  }

  private static void require(URI base, String request) throws IOException {
    int status = Http.post(base.resolve(JOBS + request), "").statusCode();
    if (status != 200) {
      throw new IOException(request + " answered " + status);
    }
  }

  /** Takes note that these may have no effect. */
  synchronized void discard(List<Long> jobs) {
    discarded.addAll(jobs);
  }

  /**
   * Whether all of which that can be said have had an effect, and the inbox has none of them that
   * waits for anybody but a person.
   */
  boolean areDone(URI base) throws IOException {
    long sure;
    synchronized (this) {
      sure = enqueued.stream().filter(job -> !discarded.contains(job)).count();
    }
    String counts = counts(base);
    return number(counts, "done") >= sure && number(counts, "waiting") == 0;
  }

  private static String counts(URI base) throws IOException {
    return Http.get(base.resolve("/jobs/count"));
  }

  private static long number(String json, String name) {
    return Long.parseLong(Http.field(json, name));
  }

  /** How many different ones have had an effect. */
  long done(URI base) throws IOException {
    return number(counts(base), "done");
  }
}
