package io.postbox.it.batch;

import io.postbox.inbox.InboxBatchOutcome.Partition;
import io.postbox.inbox.InboxRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A topic as its one consumer sees it: it polls, seeks, commits offsets, and may be restarted. */
final class Topic {
  private final String name;
  private final List<List<InboxRequest>> partitions = new ArrayList<>();
  private final SortedMap<Partition, Long> positions = new TreeMap<>();
  private final SortedMap<Partition, Long> committed = new TreeMap<>();

  Topic(String name, int partitions) {
    this.name = name;
    for (int i = 0; i < partitions; i++) {
      this.partitions.add(new ArrayList<>());
    }
  }

  /** Adds a message at a partition's end. */
  void add(int partition, InboxRequest request) {
    List<InboxRequest> all = partitions.get(partition);
    all.add(request.from(name, partition, all.size()));
  }

  /** The next messages of all partitions, some of each. */
  List<InboxRequest> poll(int mostOfEach) {
    List<InboxRequest> polled = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      List<InboxRequest> all = partitions.get(i);
      int from = (int) (long) positions.getOrDefault(new Partition(name, i), 0L);
      int to = Math.min(all.size(), from + mostOfEach);
      polled.addAll(all.subList(from, to));
      positions.put(new Partition(name, i), (long) to);
    }
    return polled;
  }

  /** Goes on at an offset. */
  void seek(Partition partition, long offset) {
    positions.put(partition, offset);
  }

  /** Commits the offset at which the partition's next consumer begins. */
  void commit(Partition partition, long offset) {
    committed.merge(partition, offset, Math::max);
  }

  /** The messages of a partition up to its committed offset. */
  List<InboxRequest> committed(int partition) {
    return partitions
        .get(partition)
        .subList(0, (int) (long) committed.getOrDefault(new Partition(name, partition), 0L));
  }

  boolean isCommitted() {
    for (int i = 0; i < partitions.size(); i++) {
      if (committed(i).size() < partitions.get(i).size()) {
        return false;
      }
    }
    return true;
  }

  /** A new consumer begins at the committed offsets. */
  void restart() {
    positions.clear();
    positions.putAll(committed);
  }
}
