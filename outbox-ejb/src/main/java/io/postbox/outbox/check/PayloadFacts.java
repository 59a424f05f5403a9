package io.postbox.outbox.check;

import java.time.Duration;

/**
 * The work that an application's loaders and cipher add to the relay.
 *
 * @param longestOpening how long a batch may be opened before it is sent, while its claim is held;
 *     zero where nothing is to be opened
 * @param loads how many loads may run at once while those of one destination hang, each with a
 *     connection of its own; zero where there is no loader
 */
public record PayloadFacts(Duration longestOpening, int loads) {

  /** An application that keeps its payloads in the table, as they are. */
  public static final PayloadFacts NONE = new PayloadFacts(Duration.ZERO, 0);
}
