package io.postbox.inbox.message;

import java.time.Duration;

/**
 * The last heartbeat of one of the service's processes.
 *
 * @param node the process
 * @param silentFor how long ago it was, by the database's clock; negative if that clock was set
 *     back since
 * @param lived how long the process had run by then
 */
public record Heartbeat(String node, Duration silentFor, Duration lived) {
  /** Whether it is at least this long ago, also if the database's clock was set back since. */
  public boolean isOverdue(Duration limit) {
    return silentFor.abs().compareTo(limit) >= 0;
  }
}
