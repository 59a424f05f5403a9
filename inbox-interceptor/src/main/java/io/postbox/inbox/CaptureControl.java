package io.postbox.inbox;

import io.postbox.common.Paused;
import java.util.List;

/**
 * Pauses and resumes the handling of captured messages ({@link InboxMode#CAPTURE}) on all nodes;
 * both outlast a restart. Injectable, thread-safe.
 *
 * <p>While a consumer is paused, its deliveries are captured as before, and none of its messages is
 * handed to its handler. Handlers that run when it is paused go on to their end, and a reply that
 * such a handler has left is sent after the resume. After a resume, handling starts again at once
 * on this node, and within ten seconds on the others. No method takes part in the caller's
 * transaction, which is suspended: each call is a transaction of its own, with a row in {@code
 * postbox_audit} that holds the caller's principal ({@code unknown} if no user is logged in) and
 * the reason. The methods do not check who calls them: put your own security before them.
 */
public interface CaptureControl {
  /**
   * Pauses a consumer: its captured messages wait.
   *
   * @param consumer its name, 1 to 100 characters; one that is not of this deployment has messages
   *     in the inbox
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was not paused before; a paused consumer keeps its first reason
   * @throws IllegalArgumentException if the consumer or the reason is missing or too long, the
   *     consumer is one of this deployment and does not capture, or nobody has this name; the text
   *     has the nearest one
   * @throws InboxException if the database failed; nothing was changed
   */
  boolean pause(String consumer, String reason);

  /**
   * Resumes a consumer.
   *
   * @param consumer its name, 1 to 100 characters
   * @param reason for the record: 1 to 1,000 characters
   * @return whether this changed anything
   * @throws IllegalArgumentException if the consumer or the reason is missing or too long
   * @throws InboxException if the database failed; nothing was changed
   */
  boolean resume(String consumer, String reason);

  /**
   * The paused consumers, by name.
   *
   * @throws InboxException if the tables cannot be read
   */
  List<Paused> paused();
}
