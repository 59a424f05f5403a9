package io.postbox.crash.load;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.model.History;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The versions of aggregates that are sent out of order, over all clients and rounds. Versions that
 * were not sent for certain are sent again. Thread-safe.
 */
public final class Versions {
  private static final int AGGREGATES = 8;

  /** An aggregate with so many versions makes room for a new one, once all of them were sent. */
  private static final int ENOUGH = 40;

  private static final int MOST_AT_ONCE = 6;
  private static final int LATE_ONE_IN = 4;
  private static final int AGAIN_ONE_IN = 4;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

  private final History history;
  private final List<Aggregate> all = new ArrayList<>();
  private final List<Aggregate> open = new ArrayList<>();
  private final Set<String> sent = new HashSet<>();

  public Versions(History history) {
    this.history = history;
  }

  /** Messages of one aggregate, in the order in which they are sent. */
  private record Window(Aggregate aggregate, List<Long> versions) {}

  /** One aggregate. Guarded by what it belongs to. */
  private static final class Aggregate {
    private final int number;
    private final List<Long> owed = new ArrayList<>();
    private long last;

    Aggregate(int number) {
      this.number = number;
    }

    String name() {
      return "aggregate-" + number;
    }

    /** Every other one goes to a consumer that captures. */
    String queue() {
      return number % 2 == 0 ? "jms/versions" : "jms/versions-captured";
    }

    /**
     * Some new versions and those that are owed, perhaps without the first of them, and perhaps
     * with an old one.
     */
    Window next(Random random) {
      List<Long> versions = owed();
      int more = versions.size() > MOST_AT_ONCE ? 0 : 1 + random.nextInt(MOST_AT_ONCE);
      for (int i = 0; i < more; i++) {
        versions.add(++last);
      }
      if (last < ENOUGH && versions.size() > 1 && random.nextInt(LATE_ONE_IN) == 0) {
        owed.add(versions.remove(0));
      }
      if (random.nextInt(AGAIN_ONE_IN) == 0) {
        versions.add(1 + (long) random.nextInt((int) last));
      }
      Collections.shuffle(versions, random);
      return new Window(this, versions);
    }

    /** All that is owed, which then is no more. */
    List<Long> owed() {
      List<Long> versions = new ArrayList<>(owed);
      owed.clear();
      return versions;
    }
  }

  /** Sends some versions of some aggregate. */
  void sendSome(URI base, Random random) {
    send(base, next(random));
  }

  private synchronized Window next(Random random) {
    while (open.size() < AGGREGATES) {
      Aggregate another = new Aggregate(all.size());
      all.add(another);
      open.add(another);
    }
    return open.get(random.nextInt(AGGREGATES)).next(random);
  }

  /** Sends what is still owed, until all of it was. */
  public void sendOwed(URI base) {
    await("all versions to be sent")
        .atMost(LONGEST_ANSWER)
        .until(
            () -> {
              List<Window> owed = owed();
              owed.forEach(window -> send(base, window));
              return owed.isEmpty();
            });
  }

  private synchronized List<Window> owed() {
    return all.stream()
        .filter(aggregate -> !aggregate.owed.isEmpty())
        .map(aggregate -> new Window(aggregate, aggregate.owed()))
        .toList();
  }

  /** Returns whether they were sent for certain; otherwise they are owed. */
  private boolean send(URI base, Window window) {
    Aggregate aggregate = window.aggregate();
    boolean isSent = send(base, aggregate.name(), aggregate.queue(), window.versions());
    synchronized (this) {
      if (!isSent) {
        aggregate.owed.addAll(window.versions());
      } else if (aggregate.last >= ENOUGH && aggregate.owed.isEmpty()) {
        open.remove(aggregate);
      }
    }
    return isSent;
  }

  /** Sends versions of an aggregate to a queue in this order; returns whether it was certain. */
  public boolean send(URI base, String aggregate, String queue, List<Long> versions) {
    String query =
        "aggregate=%s&queue=%s&versions=%s"
            .formatted(
                aggregate,
                queue,
                String.join(",", versions.stream().map(String::valueOf).toList()));
    boolean isSent = false;
    try {
      isSent = Http.post(base.resolve("/versions/messages?" + query), "").statusCode() == 200;
    } catch (IOException unanswered) {
      // the server may have died
    }
    history.versions(aggregate, versions, isSent);
    if (isSent) {
      synchronized (this) {
        versions.forEach(version -> sent.add(aggregate + "@" + version));
      }
    }
    return isSent;
  }

  /** How many different ones were sent for certain. */
  private synchronized int sent() {
    return sent.size();
  }

  /** Whether nothing waits for a version, and at least as many are handled as were sent. */
  public boolean areHandled(URI base) throws IOException {
    if (sent() == 0) {
      return true;
    }
    return number(counts(base), "waiting") == 0 && handled(base) >= sent();
  }

  /** How many were handled, doubled ones each time. */
  public long handled(URI base) throws IOException {
    return sent() == 0 ? 0 : number(counts(base), "handled");
  }

  private static String counts(URI base) throws IOException {
    return Http.get(base.resolve("/versions/messages"));
  }

  private static long number(String json, String name) {
    return Long.parseLong(Http.field(json, name));
  }
}
