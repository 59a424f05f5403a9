package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRow;
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
 * @param mayReply whether a reply may be sent there
 * @param expires whether it expires when the received message does
 * @param byItself whether the inbox sends it by itself, and no person does
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
    boolean mayReply,
    boolean expires,
    boolean byItself,
    Content content) {

  /**
   * The next copy of a stored message.
   *
   * @param generation of the copy
   * @param newId the id that it gets, if that is another
   * @param byItself whether the inbox sends it by itself, and no person does
   * @param content opened
   * @throws NotSentException if it has no id
   */
  static Outgoing of(
      KeptRow row,
      int generation,
      @Nullable String newId,
      ReplyOnRedrive replies,
      boolean byItself,
      Content content) {
    return new Outgoing(
        new StoredRow(row.at().id(), generation),
        row.at().consumer(),
        row.destination(),
        id(newId, row.at().messageId()),
        newId != null,
        byItself ? row.waitedFor() : 0,
        replies,
        row.mayReply(),
        byItself && row.expires(),
        byItself,
        content);
  }

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
  static Content open(KeptContents contents, KeptRow row) {
    try {
      return contents.open(row.place(), row.content());
    } catch (InboxException closed) {
      throw new NotSentException(String.valueOf(closed.getMessage()), false, closed);
    }
  }
}
