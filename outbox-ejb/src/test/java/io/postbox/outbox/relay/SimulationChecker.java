package io.postbox.outbox.relay;

import io.postbox.outbox.relay.SimulationHistory.Story;
import io.postbox.outbox.relay.SimulationTables.Held;
import io.postbox.outbox.relay.SimulationTables.Row;
import io.postbox.outbox.relay.SimulationTables.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Checks the rules that must hold for every run. Knows nothing of how the relay works. */
final class SimulationChecker {
  private final SimulationHistory history;

  /** By destination and key, the committed messages that were never sent, in order. */
  private final Map<String, NavigableMap<Long, Story>> unsent = new HashMap<>();

  SimulationChecker(SimulationHistory history) {
    this.history = history;
  }

  /** Those of one line commit in their order, for they hold what serialises them. */
  void committed(Story story) {
    story
        .line()
        .ifPresent(
            line -> unsent.computeIfAbsent(line, it -> new TreeMap<>()).put(story.seq, story));
  }

  /** No ghosts, order, and no repeats without a reason. */
  void delivered(Story story) {
    if (story.committed == null) {
      history.fail(story + " was sent and never committed", List.of(story));
    }
    if (story.gateway > 1 + story.faults) {
      history.fail(
          "%s was sent %s times, and %s faults touched it"
              .formatted(story, story.gateway, story.faults),
          List.of(story));
    }
    if (story.gateway == 1 && story.line().isPresent()) {
      NavigableMap<Long, Story> line = unsent.get(story.line().get());
      for (Story earlier : line.headMap(story.seq).values()) {
        boolean excepted = story.passed || earlier.passed;
        if (!excepted && !story.discarded) {
          history.fail(story + " was sent before " + earlier, List.of(earlier, story));
        }
      }
      line.remove(story.seq);
    }
  }

  /** A decision about a dead letter concerns, besides it, those for which it held the key. */
  void putToWork(Story other, Story decided) {
    if (other.death != decided.death) {
      history.fail(
          "%s was put to work by a decision about %s".formatted(other, decided),
          List.of(other, decided));
    }
  }

  /** Nobody waits for it any more. */
  void settled(Story story) {
    story.line().ifPresent(line -> unsent.get(line).remove(story.seq));
  }

  void completed(Story story) {
    if (story.gateway == 0) {
      history.fail(story + " was completed and never sent", List.of(story));
    }
  }

  /**
   * An attempt is counted for what the broker said of the message, or because its destination took
   * another one.
   *
   * @param worked when the destination last took a message of this node
   */
  void attemptCounted(Story story, Instant worked) {
    Instant committed = story.committed;
    boolean destinationWorked = committed != null && !worked.isBefore(committed);
    if (story.rejections == 0 && !destinationWorked) {
      history.fail("an attempt was counted for the destination's fault", List.of(story));
    }
  }

  /** Every held message is held by one that is still there. */
  void heldKeysFit(SimulationTables tables) {
    Set<UUID> there = new HashSet<>();
    tables.rows.values().forEach(row -> there.add(row.envelope().id()));
    tables.held.forEach(
        (key, held) -> {
          UUID head = held.head();
          if (!there.contains(head)) {
            history.fail("the key " + key + " is held by nobody", List.of(history.story(head)));
          }
        });
    for (Row row : tables.rows.values()) {
      if (row.status() == Status.HELD
          && row.key()
              .map(tables.held::get)
              .map(Held::head)
              .filter(it -> !it.equals(row.envelope().id()))
              .isEmpty()) {
        history.fail("nobody holds " + row, List.of(history.story(row.envelope().id())));
      }
    }
  }

  /**
   * After all has healed, and time has passed, each message left is a dead letter or behind one.
   *
   * @param until messages that came later are not meant
   */
  List<Story> stuck(SimulationTables tables, Instant until) {
    List<Story> stuck = new ArrayList<>();
    for (Row row : tables.rows.values()) {
      boolean behindDead =
          row.status() == Status.HELD
              && row.key()
                  .map(tables.held::get)
                  .filter(it -> isDead(tables, it.head()))
                  .isPresent();
      if (row.status() != Status.DEAD && !behindDead && row.createdAt().isBefore(until)) {
        stuck.add(history.story(row.envelope().id()));
      }
    }
    return stuck;
  }

  private static boolean isDead(SimulationTables tables, UUID head) {
    return tables.rows.values().stream()
        .anyMatch(row -> row.envelope().id().equals(head) && row.status() == Status.DEAD);
  }

  /** After everybody has decided about dead letters: all was sent, or discarded on record. */
  void complete(SimulationTables tables) {
    for (Story story : history.stories()) {
      if (story.committed != null && story.gateway == 0 && !story.discarded) {
        history.fail(story + " is lost", List.of(story));
      }
    }
    if (!tables.rows.isEmpty() || !tables.held.isEmpty() || !tables.locks.isEmpty()) {
      history.fail(
          "left behind: " + tables.rows.values() + ", " + tables.held + ", " + tables.locks);
    }
  }
}
