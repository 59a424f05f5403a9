package io.postbox.console.http;

import java.util.Optional;

/** One of the two modules, as the console has to know it. A bean where the module is there. */
public interface Half {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** The problem behind an exception that only this module's API throws on purpose. */
  default Optional<Problem> problem(Throwable thrown) {
    return Optional.empty();
  }

  /** Whether the module itself has failed, for instance because its tables cannot be read. */
  boolean isOwnFailure(Throwable thrown);
}
