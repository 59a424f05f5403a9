package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SimulationTables.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of a run, message by message; reports each to the checker as it happens. */
final class SimulationHistory {
  private final SimulationScheduler scheduler;
  final SimulationChecker checker;
  private final Map<UUID, Story> stories = new LinkedHashMap<>();
  private final List<Event> common = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private long lastSetBack = -1;
  private final Map<String, Instant> lastWorked = new HashMap<>();

  /** Something that happened. */
  private record Event(long step, Instant at, String actor, String what) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%8d %s %-14s %s", step, at, actor, what);
    }
  }

  /** One message's life. */
  static final class Story {
    final UUID id;
    final String destination;
    final @Nullable String orderingKey;
    final List<Event> events = new ArrayList<>();
    @Nullable Instant committed;
    long seq;
    int gateway;
    int faults;
    int rejections;

    /** Others may have gone past it when it died. */
    boolean passed;

    /** In which it last became a dead letter, and when. */
    @Nullable SimulationTransaction death;

    long diedAt;
    boolean discarded;

    Story(UUID id, String destination, @Nullable String orderingKey) {
      this.id = id;
      this.destination = destination;
      this.orderingKey = orderingKey;
    }

    Optional<String> line() {
      return Optional.ofNullable(orderingKey).map(it -> destination + " " + it);
    }

    @Override
    public String toString() {
      return "message %s to %s, key %s".formatted(seq, destination, orderingKey);
    }
  }

  SimulationHistory(SimulationScheduler scheduler) {
    this.scheduler = scheduler;
    checker = new SimulationChecker(this);
  }

  void clockSetBack() {
    lastSetBack = scheduler.steps();
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  Map<String, Integer> counts() {
    return counts;
  }

  Collection<Story> stories() {
    return stories.values();
  }

  Story story(UUID id) {
    Story story = stories.get(id);
    if (story == null) {
      throw new IllegalStateException("unknown message " + id);
    }
    return story;
  }

  private Event event(String what) {
    return new Event(scheduler.steps(), scheduler.now(), scheduler.actor(), what);
  }

  /** Something that concerns all messages. */
  void note(String what) {
    common.add(event(what));
  }

  private void note(Story story, String what) {
    story.events.add(event(what));
  }

  void inserted(UUID id, String destination, @Nullable String key, long seq) {
    Story story = new Story(id, destination, key);
    story.seq = seq;
    stories.put(id, story);
    note(story, "inserted");
  }

  /** The business transaction's commit. */
  void committed(UUID id) {
    Story story = story(id);
    story.committed = scheduler.now();
    count("committed");
    note(story, "committed");
    checker.committed(story);
  }

  void delivered(List<StoredMessage> messages, String node) {
    for (StoredMessage message : messages) {
      Story story = story(message.envelope().id());
      story.gateway++;
      count(story.gateway == 1 ? "sent" : "sent again");
      note(story, "SENT by " + node);
      checker.delivered(story);
      lastWorked.put(node + " " + story.destination, scheduler.now());
    }
  }

  void rejected(UUID id, String node) {
    Story story = story(id);
    story.rejections++;
    count("rejections");
    note(story, "rejected for " + node);
  }

  void failedAlone(UUID id, String node) {
    note(story(id), "failed alone for " + node);
  }

  /** A reason to send a message once more. */
  void fault(UUID id, String what) {
    Story story = story(id);
    story.faults++;
    note(story, "fault: " + what);
  }

  /**
   * A row was changed.
   *
   * @param mayGoOn whether others may go past it if it has died
   */
  void changed(Row before, Row after, SimulationTransaction in, boolean mayGoOn) {
    String by = in.by;
    Story story = story(before.envelope().id());
    count("now " + after.status());
    note(
        story,
        "%s -> %s, attempts %s, by %s"
            .formatted(before.status(), after.status(), after.attempts(), by));
    if (after.status() == SimulationTables.Status.DEAD) {
      story.passed |= mayGoOn;
      story.death = in;
      story.diedAt = scheduler.steps();
    }
    if (after.attempts() > before.attempts()) {
      Instant worked = lastWorked.getOrDefault(by + " " + story.destination, Instant.MIN);
      checker.attemptCounted(story, worked);
    }
  }

  /** A dead letter is one no more. */
  void putToWork(UUID id, @Nullable UUID decided) {
    Story story = story(id);
    if (decided != null && !decided.equals(id) && story.diedAt > lastSetBack) {
      checker.putToWork(story, story(decided));
    }
    fault(id, "redriven");
    count("redriven");
    story(id).rejections = 0;
  }

  void discarded(UUID id) {
    Story story = story(id);
    story.discarded = true;
    count("discarded");
    note(story, "discarded");
    checker.settled(story);
  }

  /** Its row is gone after it was sent. */
  void completed(Row row) {
    Story story = story(row.envelope().id());
    note(story, "completed");
    checker.completed(story);
  }

  void fail(String problem) {
    fail(problem, List.of());
  }

  /** Ends the run, telling the life of those messages. */
  void fail(String problem, List<Story> about) {
    String told =
        Stream.concat(
                about.stream()
                    .limit(5)
                    .flatMap(
                        story ->
                            story.events.stream()
                                .map(it -> Map.entry(it, it + "  [" + story.seq + "]"))),
                common.stream().map(it -> Map.entry(it, it.toString())))
            .sorted(Comparator.comparingLong(entry -> entry.getKey().step()))
            .map(Map.Entry::getValue)
            .collect(Collectors.joining("\n"));
    AssertionError failure = new AssertionError(problem + "\n" + told);
    scheduler.fail(failure);
    throw failure;
  }
}
