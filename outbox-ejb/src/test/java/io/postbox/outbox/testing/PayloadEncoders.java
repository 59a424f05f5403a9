package io.postbox.outbox.testing;

import io.postbox.outbox.enqueue.PayloadEncoder;
import java.util.Optional;
import java.util.function.Function;

/** How payloads are packed where neither a cipher nor a loader is. */
public final class PayloadEncoders {
  private PayloadEncoders() {}

  /** With a limit. */
  public static PayloadEncoder plain(int maxPayload, Function<Object, String> toJson) {
    return new PayloadEncoder(maxPayload, Integer.MAX_VALUE, toJson, Optional.empty(), false);
  }
}
