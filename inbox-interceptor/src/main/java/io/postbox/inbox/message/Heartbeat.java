package io.postbox.inbox.message;

import java.time.Duration;

/**
 * When a process of the service was last heard of.
 *
 * @param node the process
 * @param silentFor for how long it has said nothing, by the database's clock; less than nothing
 *     where that was set back since
 */
public record Heartbeat(String node, Duration silentFor) {
  /** Whether it has said nothing for so long, also if the database's clock was set back since. */
  public boolean isOverdue(Duration limit) {
    return silentFor.abs().compareTo(limit) >= 0;
  }
}
