package io.postbox.inbox.ops;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import org.jspecify.annotations.Nullable;

/**
 * A message that an operator redrives.
 *
 * @param consumer the name of its consumer
 * @param destination the destination it was received from, if known
 * @param id its new id
 * @param isNewId whether that differs from the id it was received with
 * @param replies whether it keeps its reply destination
 * @param content headers, properties and body
 * @param isRestored whether it is captured again, so that it need not be sent
 */
public record Outgoing(
    String consumer,
    @Nullable String destination,
    String id,
    boolean isNewId,
    ReplyOnRedrive replies,
    Content content,
    boolean isRestored) {

  /** A message that has to be sent. */
  public Outgoing(
      String consumer,
      @Nullable String destination,
      String id,
      boolean isNewId,
      ReplyOnRedrive replies,
      Content content) {
    this(consumer, destination, id, isNewId, replies, content, false);
  }

  /** A copy that need not be sent. */
  Outgoing restored() {
    return new Outgoing(consumer, destination, id, isNewId, replies, content, true);
  }

  /** Sends it, unless it need not be sent. */
  void sendBy(KeptSender sender) {
    if (!isRestored) {
      sender.send(this);
    }
  }
}
