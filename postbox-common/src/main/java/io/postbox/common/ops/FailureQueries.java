package io.postbox.common.ops;

import io.postbox.common.store.RecordedFailures;
import java.util.List;

/**
 * Reads recorded failures. Thread-safe.
 *
 * @param calls runs the queries
 * @param failures the module's
 */
public record FailureQueries<A, G>(OperatorCalls calls, RecordedFailures<A, G> failures) {
  /** What is not so while they cannot be read. */
  public static final String PROBLEM = "Recorded failures cannot be read";

  /**
   * One page of groups.
   *
   * @throws IllegalArgumentException if the size is out of bounds
   */
  public List<G> groups(String after, int size) {
    return calls.ask(PROBLEM, connection -> failures.groups(connection, after, size));
  }

  /** The recorded failures of the message with this key. */
  public List<A> of(Object... key) {
    return calls.ask(PROBLEM, connection -> failures.history(connection, key));
  }
}
