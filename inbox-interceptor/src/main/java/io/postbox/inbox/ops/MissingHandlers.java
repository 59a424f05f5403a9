package io.postbox.inbox.ops;

import io.postbox.common.check.Finding;
import io.postbox.inbox.log.CaptureLog;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The consumers that have captured messages and no handler on this node, as while nodes are
 * upgraded one by one. Their messages wait for a node that has it, and are not counted.
 * Thread-safe.
 */
public final class MissingHandlers {
  private final Set<String> handled;
  private volatile SortedSet<String> missing = Collections.emptySortedSet();

  /**
   * @param handled the consumers with a handler on this node
   */
  public MissingHandlers(Set<String> handled) {
    this.handled = Set.copyOf(handled);
  }

  /** Learns from a count; logs each consumer once. */
  public synchronized void counted(KeptCounts counts) {
    SortedSet<String> found = new TreeSet<>();
    for (String consumer : counts.consumers(KeptCounts.CAPTURED)) {
      if (!handled.contains(consumer)) {
        found.add(consumer);
        if (!missing.contains(consumer)) {
          CaptureLog.handledElsewhere(
              consumer, counts.of(KeptCounts.CAPTURED, consumer).messages());
        }
      }
    }
    missing = Collections.unmodifiableSortedSet(found);
  }

  /** A finding if there are any. */
  public Optional<Finding> finding() {
    Set<String> found = missing;
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "waits-for-another-node",
                "Captured messages wait, uncounted, for a node with a handler of their consumer, and this one has none: %s. Deploy the handler here, or see that a node that has it runs."
                    .formatted(String.join(", ", found))));
  }
}
