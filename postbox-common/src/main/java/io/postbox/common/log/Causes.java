package io.postbox.common.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;

/** The chain of an exception's causes. */
public final class Causes {
  private Causes() {}

  /** The exception and its causes, outermost first; a circle of causes ends. */
  public static Stream<Throwable> of(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Stream.Builder<Throwable> causes = Stream.builder();
    for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes.build();
  }
}
