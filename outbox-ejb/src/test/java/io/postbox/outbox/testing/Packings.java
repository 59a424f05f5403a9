package io.postbox.outbox.testing;

import io.postbox.outbox.enqueue.Packing;
import java.util.Optional;
import java.util.function.Function;

/** How payloads are packed where neither a cipher nor a loader is. */
public final class Packings {
  private Packings() {}

  /** With a limit. */
  public static Packing plain(int maxPayload, Function<Object, String> toJson) {
    return new Packing(maxPayload, Integer.MAX_VALUE, toJson, Optional.empty(), false);
  }
}
