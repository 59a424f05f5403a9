package io.postbox.inbox.message;

import java.time.Duration;
import java.util.Collection;

/**
 * The attempts at a message that never ended because their process died.
 *
 * @param number how many there are
 * @param alone how many of these ran alone among the redelivered messages in their process, so that
 *     no other suspect can have killed it
 */
public record Crashes(int number, int alone) {
  /** No crash. */
  public static final Crashes NONE = new Crashes(0, 0);

  /**
   * An unended attempt.
   *
   * @param node the process in which it began
   * @param alone whether it ran alone in its process, apart from first deliveries
   * @param silentFor how long its process has not renewed it, by the database's clock; negative if
   *     that clock was set back since
   */
  public record Unended(String node, boolean alone, Duration silentFor) {}

  /**
   * Counts the attempts whose process died. An attempt of this process does not count, nor does one
   * that another process still renews.
   *
   * @param left the unended attempts
   * @param self this process
   * @param lease how long after its last renewal an attempt's process counts as dead
   */
  public static Crashes of(Collection<Unended> left, String self, Duration lease) {
    int dead = 0;
    int alone = 0;
    for (Unended one : left) {
      if (!one.node().equals(self) && one.silentFor().abs().compareTo(lease) >= 0) {
        dead++;
        alone += one.alone() ? 1 : 0;
      }
    }
    return new Crashes(dead, alone);
  }

  /** Whether the message may kill the process that handles it. */
  public boolean areSuspicious() {
    return number > 0;
  }

  /**
   * Whether the message has killed this many processes, and is not just a bystander: the first
   * crash makes it a suspect, and after that it ran alone each time.
   */
  public boolean reach(int limit) {
    return number >= limit && alone >= Math.max(1, limit - 1);
  }
}
