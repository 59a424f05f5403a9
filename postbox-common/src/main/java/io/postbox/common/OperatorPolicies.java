package io.postbox.common;

import java.util.List;

/**
 * The policies that operators have set while the servers run. A policy takes the place of the
 * configuration's keys for its destination or consumer, on all nodes and also after restarts, until
 * it is reset. Injectable as the outbox's or the inbox's, which also set them; thread-safe.
 *
 * <p>A change is in effect on this node when the method returns, and on the others within five
 * seconds. A node whose database fails meanwhile goes by what it read last.
 *
 * <p>No method takes part in the caller's transaction, which is suspended: each call is a
 * transaction of its own, and one that changes something writes a row to {@code postbox_audit} that
 * holds the caller's principal ({@code unknown} if no user is logged in) and the reason. The
 * methods do not check who calls them: put your own security before them. Each throws the module's
 * exception if the database failed; nothing was changed then.
 *
 * @param <P> what the module's operators may set
 */
public interface OperatorPolicies<P> {
  /**
   * Ends the policy of a name, so that the configuration applies again.
   *
   * @param name of the destination or consumer
   * @param reason for the record: 1 to 1,000 characters
   * @return whether there was one
   * @throws IllegalArgumentException if the reason is missing or too long; nothing was changed
   */
  boolean reset(String name, String reason);

  /** The policies by name, as they are in the database. */
  List<RuntimePolicy<P>> list();
}
