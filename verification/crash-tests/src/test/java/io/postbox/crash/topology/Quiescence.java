package io.postbox.crash.topology;

import io.postbox.testkit.database.Database;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.sample.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Sees whether everything has gone all the way, while the server runs. */
final class Quiescence {
  private final Sample sample;
  private final Database database;
  private final Set<Long> processes;
  private final Supplier<Map<String, Long>> queues;

  /**
   * @param processes the ids of those that run
   * @param queues counts the messages in each
   */
  Quiescence(
      Sample sample, Database database, Set<Long> processes, Supplier<Map<String, Long>> queues) {
    this.sample = sample;
    this.database = database;
    this.processes = processes;
    this.queues = queues;
  }

  /** The sample's counts, which answers when it is at rest. */
  Sample.Totals totals() {
    try {
      return sample.totals();
    } catch (IOException e) {
      throw new UncheckedIOException("The sample is at rest, but does not answer", e);
    }
  }

  /** Whether nothing is in doubt, pending, captured, handed back, at work or in a queue now. */
  boolean isThere() throws IOException {
    Sample.Totals totals = sample.totals();
    return totals.atRest()
        && queues.get().values().stream().allMatch(messages -> messages == 0)
        && (database.readableBesideServer()
            ? Tables.inDoubt(database).isEmpty() && Tables.isInboxAtRest(database, processes)
            : totals.isInboxAtRest());
  }
}
