package io.postbox.inbox.check;

import java.time.Duration;
import java.util.Optional;

/**
 * What the server told of its settings; empty where it does not tell.
 *
 * @param xaDataSource whether the inbox's data source takes part in two-phase commits
 * @param poolSize how many connections its pool may have; zero stands for no limit
 * @param recoversAtStart whether transactions that a crash left in doubt are finished at start
 * @param transactionTimeout when a transaction is ended that says nothing about it; zero stands for
 *     never
 */
public record ServerFacts(
    Optional<Boolean> xaDataSource,
    Optional<Integer> poolSize,
    Optional<Boolean> recoversAtStart,
    Optional<Duration> transactionTimeout) {

  /** A server that tells nothing. */
  public static final ServerFacts UNKNOWN =
      new ServerFacts(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
