package io.postbox.inbox.message;

import java.time.Duration;
import java.util.Collection;

/**
 * The attempts at a message that began and never ended.
 *
 * @param number how many ended with their process
 * @param alone how many of these were the only ones of messages that had come before in their
 *     process, so that no message that had ended a process before can have ended that one
 */
public record Crashes(int number, int alone) {
  /** None. */
  public static final Crashes NONE = new Crashes(0, 0);

  /**
   * An attempt that has begun and has not ended.
   *
   * @param node the process in which it began
   * @param alone whether it had its process to itself, but for messages that came for the first
   *     time
   * @param silentFor for how long its process has not renewed it, by the database's clock; less
   *     than nothing where that was set back since
   */
  public record Unended(String node, boolean alone, Duration silentFor) {}

  /**
   * Judges what is left. A try of this process is none of a dead one; one that is renewed is at
   * work elsewhere.
   *
   * @param left the tries that have not ended
   * @param self this process
   * @param lease after so long without being renewed a try has no process any more
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
   * Whether the message has done that so often, and is no bystander: the first crash makes it a
   * suspect, and from then on it was alone.
   */
  public boolean reach(int limit) {
    return number >= limit && alone >= Math.max(1, limit - 1);
  }
}
