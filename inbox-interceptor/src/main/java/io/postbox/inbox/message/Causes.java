package io.postbox.inbox.message;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;

/** Why something failed, and why that did. */
public final class Causes {
  private Causes() {}

  /** The exception and its causes, from the outside in, also where these go in a circle. */
  public static Stream<Throwable> of(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Stream.Builder<Throwable> causes = Stream.builder();
    for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes.build();
  }
}
