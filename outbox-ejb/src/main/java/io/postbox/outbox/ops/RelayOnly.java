package io.postbox.outbox.ops;

import io.postbox.outbox.config.OutboxConfig;

/** Refuses what only a relay of the nodes can do, where a connector sends instead. */
final class RelayOnly {
  private RelayOnly() {}

  /**
   * @param refused the call that is refused, as a clause
   * @param wayOut the alternative
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}
   */
  static void check(OutboxConfig config, String refused, String wayOut) {
    if (config.relay().isCdc()) {
      throw new UnsupportedOperationException(
          "%s, nothing was changed: postbox.outbox.relay.mode=cdc, so no node sends and a connector does. %s"
              .formatted(refused, wayOut));
    }
  }
}
