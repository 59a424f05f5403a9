package io.postbox.inbox.check;

import java.time.Duration;
import java.util.Optional;

/**
 * The server's settings; empty if unknown.
 *
 * @param xaDataSource whether the inbox's data source takes part in two-phase commits
 * @param poolSize the largest size of its pool; zero means no limit
 * @param recoversAtStart whether transactions that a crash left in doubt are finished at start
 * @param transactionTimeout the default time-out of a transaction; zero means none
 */
public record ServerFacts(
    Optional<Boolean> xaDataSource,
    Optional<Integer> poolSize,
    Optional<Boolean> recoversAtStart,
    Optional<Duration> transactionTimeout) {

  /** A server that reveals no setting. */
  public static final ServerFacts UNKNOWN =
      new ServerFacts(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
