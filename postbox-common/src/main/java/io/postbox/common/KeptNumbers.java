package io.postbox.common;

import java.util.Optional;

/** The course of a module's numbers, which outlasts a page and a node. Thread-safe. */
public interface KeptNumbers {
  /**
   * What a node has last {@linkplain #keepHistory kept} as the course of the numbers, in the words
   * of whoever kept it; empty if none has. Throws the module's exception if the tables cannot be
   * read.
   */
  Optional<String> history();

  /**
   * Keeps the course of the numbers for all nodes, and beyond their restarts, in the place of what
   * was kept before. The console writes the last hour here once a minute. Throws the module's
   * exception if it is not kept, because the table cannot be written or a count has run for ten
   * seconds.
   *
   * @param history at most 65,536 characters, in any format
   * @throws IllegalArgumentException if it is longer
   */
  void keepHistory(String history);
}
