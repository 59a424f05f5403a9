package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptContents.Columns;
import io.postbox.inbox.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a stored message, to be sent to its consumer.
 *
 * @param stored its row, and the generation of this copy
 * @param consumer the name of its consumer
 * @param destination the destination it was received from, if known
 * @param id its id
 * @param isNewId whether that differs from the id it was received with
 * @param waitedFor how many failures of its handler it has waited for
 * @param replies whether it keeps its reply destination
 * @param content headers, properties and body
 */
public record Outgoing(
    StoredRow stored,
    String consumer,
    @Nullable String destination,
    String id,
    boolean isNewId,
    int waitedFor,
    ReplyOnRedrive replies,
    Content content) {

  /**
   * Under which id a message is sent.
   *
   * @param newId the one that it gets, if that is another
   * @param id the one with which it was received, if it had a usable one
   * @throws NotSentException if there is none
   */
  static String id(@Nullable String newId, @Nullable String id) {
    String known = newId == null ? id : newId;
    if (known == null) {
      throw new NotSentException("it has no id", false, null);
    }
    return known;
  }

  /**
   * The content of a stored message.
   *
   * @throws NotSentException if it cannot be decrypted
   */
  static Content open(KeptContents contents, Place place, Columns stored) {
    try {
      return contents.open(place, stored);
    } catch (InboxException closed) {
      throw new NotSentException(String.valueOf(closed.getMessage()), false, closed);
    }
  }
}
