package io.postbox.outbox.check;

import java.time.Duration;
import java.util.Optional;

/**
 * What the server told of its settings; empty where it does not tell.
 *
 * @param xaDataSource whether the outbox's data source takes part in two-phase commits
 * @param poolSize how many connections its pool may have
 * @param persistentMapping what the connection factory makes of persistent messages; only Liberty's
 *     embedded messaging has that
 * @param recoversAtStart whether transactions that a crash left in doubt are finished at start
 * @param longestTransaction how long a transaction may take at most, whatever it asks for; zero
 *     stands for no limit
 */
public record ServerFacts(
    Optional<Boolean> xaDataSource,
    Optional<Integer> poolSize,
    Optional<String> persistentMapping,
    Optional<Boolean> recoversAtStart,
    Optional<Duration> longestTransaction) {

  /** A server that tells nothing. */
  public static final ServerFacts UNKNOWN =
      new ServerFacts(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
