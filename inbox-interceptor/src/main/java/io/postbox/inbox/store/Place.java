package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * The row to which an encrypted value belongs.
 *
 * @param table the table's name without its prefix
 * @param consumer the row's consumer
 * @param messageId the message's id, if it has a usable one
 * @param more further values that identify the row
 */
public record Place(String table, String consumer, @Nullable String messageId, String more) {

  /** The row of a stored message. */
  public static Place stored(String consumer, @Nullable String messageId, Fingerprint fingerprint) {
    return new Place("inbox_stored", consumer, messageId, fingerprint.sha256());
  }

  static Place failure(String consumer, String messageId) {
    return new Place("inbox_failure", consumer, messageId, "");
  }

  static Place result(String consumer, String messageId, String effect) {
    return new Place("inbox_result", consumer, messageId, effect);
  }

  /** The associated data for a column of the row. */
  AssociatedData of(String column) {
    StringBuilder said = new StringBuilder(table).append('.').append(column);
    say(said, "consumer", consumer);
    say(said, "message-id", messageId);
    say(said, "of", more);
    return new AssociatedData(said.toString());
  }

  /** The associated data for a column whose meaning depends on the type of body. */
  AssociatedData of(String column, BodyType type) {
    StringBuilder said = new StringBuilder(of(column).text());
    say(said, "body-type", type.name());
    return new AssociatedData(said.toString());
  }

  /** Puts the length before a value, so that no value can look like two. */
  private static void say(StringBuilder said, String name, @Nullable String value) {
    if (value != null) {
      said.append(' ').append(name).append('=').append(value.length()).append(':').append(value);
    }
  }
}
