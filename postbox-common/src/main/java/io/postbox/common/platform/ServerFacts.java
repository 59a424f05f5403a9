package io.postbox.common.platform;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The server's settings; empty if unknown.
 *
 * @param xaDataSource whether the module's data source takes part in two-phase commits
 * @param poolSize how many connections its pool may have; zero means no limit
 * @param persistentMapping how the connection factory maps persistent messages, where that is the
 *     server's to say
 * @param recoversAtStart whether transactions that a crash left in doubt are finished at start
 * @param longestTransaction how long the module's transactions may last; zero means no limit
 * @param mostDeliveries how often the server's own broker delivers a message that fails before it
 *     gives it up; zero means no limit
 * @param dataSourcesOutside the names by which the application's persistence units know their data
 *     sources, where what a unit writes while its transaction completes is not part of that
 */
public record ServerFacts(
    Optional<Boolean> xaDataSource,
    Optional<Integer> poolSize,
    Optional<String> persistentMapping,
    Optional<Boolean> recoversAtStart,
    Optional<Duration> longestTransaction,
    Optional<Integer> mostDeliveries,
    Set<String> dataSourcesOutside) {

  /** Of a broker that has no other mapping than what the sender asked for. */
  public static final String PERSISTENT = "persistent";

  /** A server that reveals no setting. */
  public static final ServerFacts UNKNOWN =
      new ServerFacts(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of());
}
