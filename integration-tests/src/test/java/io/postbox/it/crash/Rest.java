package io.postbox.it.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Sees whether everything has gone all the way, while the server runs. */
final class Rest {
  private static final Duration LONGEST = Duration.ofSeconds(120);

  private final Sample sample;
  private final Database database;
  private final Supplier<Map<String, Long>> queues;

  /**
   * @param queues counts the messages in each
   */
  Rest(Sample sample, Database database, Supplier<Map<String, Long>> queues) {
    this.sample = sample;
    this.database = database;
    this.queues = queues;
  }

  /** Returns whether it came; if not, the check will say what is stuck. */
  boolean await() {
    try {
      Awaitility.await("rest")
          .atMost(LONGEST)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptions() // it may be too busy to answer
          .until(this::isThere);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** What the sample counts, which answers when it is at rest. */
  Sample.Totals totals() {
    try {
      return sample.totals();
    } catch (IOException e) {
      throw new UncheckedIOException("The sample is at rest, but does not answer", e);
    }
  }

  private boolean isThere() throws IOException {
    return sample.totals().atRest()
        && queues.get().values().stream().allMatch(messages -> messages == 0)
        && (!database.readableBesideServer() || Tables.inDoubt(database).isEmpty());
  }
}
