package io.postbox.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Switches of the relay that all nodes obey, and that outlast a restart. Injectable, thread-safe.
 *
 * <p>Every node obeys with its next batch: what a batch has in hand is still sent, and after that
 * nothing more; after a resume it takes up to a second or two until the messages go again. Enqueue
 * goes on meanwhile. Nothing here takes part in the caller's transaction, which is suspended: each
 * call is a transaction of its own, with a row in {@code postbox_audit} that says who and why
 * ({@code unknown} if nobody is logged in). Calling this is not restricted: put your own security
 * before it.
 */
public interface RelayControl {
  /** Stands for all destinations in {@link Paused}. */
  String ALL = "*";

  /**
   * Lets the messages to a destination wait. A name that nothing was ever sent to is allowed: what
   * comes for it waits.
   *
   * @param destination the logical name, 1 to 100 characters
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything; if not, it was paused already, and keeps that reason
   * @throws IllegalArgumentException if the destination or the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean pause(String destination, String reason);

  /**
   * Lets the messages to a destination go again, unless all destinations are paused.
   *
   * @param destination the logical name, 1 to 100 characters
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything
   * @throws IllegalArgumentException if the destination or the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean resume(String destination, String reason);

  /**
   * Lets all messages wait.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything; if not, all were paused already, for that reason
   * @throws IllegalArgumentException if the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean pauseAll(String reason);

  /**
   * Takes {@link #pauseAll} back. A destination that was paused by its name stays paused.
   *
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything
   * @throws IllegalArgumentException if the reason is missing or too long
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean resumeAll(String reason);

  /**
   * What is paused, by name; {@link #ALL} comes first.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<Paused> paused();

  /**
   * Waits until no message waits in the outbox any more, for instance before a broker is exchanged.
   * Dead letters do not count, but what waits behind one does. What other transactions have not
   * committed yet, the caller's included, is not seen.
   *
   * @param limit how long to wait at most
   * @return whether it became empty within the limit
   * @throws OutboxException if the tables cannot be read, or the thread is interrupted
   */
  boolean awaitEmpty(Duration limit);

  /**
   * Likewise for the messages to one destination.
   *
   * @param destination the logical name
   * @param limit how long to wait at most
   * @return whether none waited any more within the limit
   * @throws OutboxException if the tables cannot be read, or the thread is interrupted
   */
  boolean awaitEmpty(String destination, Duration limit);

  /**
   * A destination whose messages wait because somebody said so.
   *
   * @param destination the logical name, or {@link #ALL}
   * @param reason why
   * @param principal who
   * @param since when, by the database's clock
   */
  record Paused(String destination, String reason, String principal, Instant since) {}
}
