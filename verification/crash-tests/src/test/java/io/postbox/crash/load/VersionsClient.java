package io.postbox.crash.load;

import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Sends versions of aggregates through one server, at a steady pace. */
public final class VersionsClient implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(200);

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> running;

  /**
   * Begins at once.
   *
   * @param base the server's
   */
  public VersionsClient(URI base, Versions versions, long seed) {
    Random random = new Random(seed);
    running =
        thread.scheduleAtFixedRate(
            () -> versions.sendSome(base, random), 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops, and waits for the last answer. */
  @Override
  public void close() {
    boolean broken = running.isDone();
    thread.shutdown();
    try {
      if (broken) {
        running.get();
      }
      if (!thread.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("A client of versions has waited a minute for an answer");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Versions could not be sent", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
