package io.postbox.outbox;

import io.postbox.common.Paused;
import java.time.Duration;
import java.util.List;

/**
 * Pauses and resumes sending on all nodes; both outlast a restart. Injectable, thread-safe.
 *
 * <p>A pause takes effect with every node's next batch: the current batch is still sent. After a
 * resume, sending starts again within a second or two. Enqueue is not affected. No method takes
 * part in the caller's transaction, which is suspended: each call is a transaction of its own, with
 * a row in {@code postbox_audit} that holds the caller's principal ({@code unknown} if no user is
 * logged in) and the reason. The methods do not check who calls them: put your own security before
 * them.
 */
public interface RelayControl {
  /** Means all destinations in {@link Paused}. */
  String ALL = "*";

  /**
   * Pauses a destination: its messages wait. The destination need not have messages yet; later ones
   * wait. With {@code postbox.outbox.destinations} it is one of those, or one whose messages still
   * wait or are dead letters: a name that nobody has is refused.
   *
   * @param destination the logical name, 1 to 100 characters
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was not paused before; a paused destination keeps its first reason
   * @throws IllegalArgumentException if the destination or the reason is missing or too long, or no
   *     message can have this destination; the text has the nearest valid name
   * @throws OutboxException if the database failed; nothing was changed
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  boolean pause(String destination, String reason);

  /**
   * Resumes a destination, unless all destinations are paused.
   *
   * @param destination the logical name, 1 to 100 characters
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything
   * @throws IllegalArgumentException if the destination or the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean resume(String destination, String reason);

  /**
   * Pauses all destinations.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether not all were paused before; otherwise the first reason is kept
   * @throws IllegalArgumentException if the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  boolean pauseAll(String reason);

  /**
   * Ends {@link #pauseAll}. A destination that was paused by its name stays paused.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything
   * @throws IllegalArgumentException if the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean resumeAll(String reason);

  /**
   * The paused destinations, by name; {@link #ALL} comes first.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<Paused> paused();

  /**
   * Blocks until no message waits in the outbox, for instance before a broker is replaced. Dead
   * letters do not count, but messages held behind one do. Uncommitted messages, the caller's own
   * included, are not seen.
   *
   * @param limit how long to wait at most
   * @return whether it became empty within the limit
   * @throws OutboxException if the tables cannot be read, or the thread is interrupted
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  boolean awaitEmpty(Duration limit);

  /**
   * Blocks until no message to one destination waits.
   *
   * @param destination the logical name
   * @param limit how long to wait at most
   * @return whether no message waited any more within the limit
   * @throws OutboxException if the tables cannot be read, or the thread is interrupted
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  boolean awaitEmpty(String destination, Duration limit);
}
