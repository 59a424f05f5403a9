package io.postbox.inbox.store;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptContents.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A stored message with its content.
 *
 * @param at where it is
 * @param destination the destination it was received from, if known
 * @param fingerprint the fingerprint of its body
 * @param content its content, as stored
 * @param reason why it is kept, or how it goes back to its queue
 * @param releasedAs the new id under which it has to be sent, if one is assigned
 * @param isRetry whether it waits for a retry
 * @param generation how often it was handed back
 * @param waitedFor how many failures of its handler it has waited for
 * @param setbacks how often its copy was sent with this generation
 * @param replies whether it has a reply destination
 * @param mayReply whether a reply may be sent to the destination that its sender chose
 * @param expires whether it expires when the received message does
 */
public record KeptRow(
    Spot at,
    @Nullable String destination,
    Fingerprint fingerprint,
    Columns content,
    String reason,
    @Nullable String releasedAs,
    boolean isRetry,
    int generation,
    int waitedFor,
    int setbacks,
    ReplyOnRedrive replies,
    boolean mayReply,
    boolean expires) {

  /** Why a message is here: kept aside, or else going back to its queue. */
  static final String REASON =
      "CASE WHEN m.status IN ('DELAYED', 'HANDED_BACK') THEN m.status ELSE m.reason END AS reason";

  /** The columns of a {@link Spot} of the table {@code m}: a captured retry is its key's head. */
  static final String SPOT =
      """
      m.id, m.consumer, m.message_id, m.captured, m.ordering_key,
        m.holds OR (m.captured AND m.status = 'DELAYED')""";

  /** The columns of the table {@code m}, for a statement. */
  static final String COLUMNS =
      SPOT
          + """
          , m.fingerprint, m.fingerprint_version, m.destination, m.released_as, m.status,
            m.generation, m.waited_for, m.setbacks, m.reply_to, m.reply_allowed, m.kept_at, %s, %s"""
              .formatted(REASON, Columns.NAMES);

  /**
   * Where a stored message is.
   *
   * @param id its row
   * @param consumer the name of its consumer
   * @param messageId its id, if it has a usable one
   * @param isCaptured whether its consumer handles it from its row
   * @param key its ordering key, if it has one and is captured
   * @param holds whether those behind it with the key wait for it: it is kept aside or a retry
   */
  public record Spot(
      long id,
      String consumer,
      @Nullable String messageId,
      boolean isCaptured,
      @Nullable String key,
      boolean holds) {

    /** Reads {@link #SPOT}. */
    static Spot of(ResultSet row) throws SQLException {
      return new Spot(
          row.getLong(1),
          row.getString(2),
          row.getString(3),
          row.getBoolean(4),
          row.getString(5),
          row.getBoolean(6));
    }
  }

  /** Reads {@link #COLUMNS}. */
  static KeptRow of(ResultSet row) throws SQLException {
    return new KeptRow(
        Spot.of(row),
        row.getString("destination"),
        Fingerprinted.get(row, 7),
        Columns.of(row),
        row.getString("reason"),
        row.getString("released_as"),
        row.getString("status").equals(StoredStatus.DELAYED.name()),
        row.getInt("generation"),
        row.getInt("waited_for"),
        row.getInt("setbacks"),
        row.getString("reply_to") == null ? ReplyOnRedrive.DROP : ReplyOnRedrive.KEEP,
        row.getBoolean("reply_allowed"),
        row.getObject("kept_at") == null);
  }

  /** The row for which its content was encrypted. */
  public Place place() {
    return Place.stored(at.consumer(), at.messageId(), fingerprint);
  }

  /** The generation with which its next copy is sent by itself. */
  public int nextGeneration() {
    return generation + (isRetry ? 1 : 0);
  }

  /** How often a copy was sent with that generation. */
  public int sent() {
    return isRetry ? 0 : setbacks;
  }
}
