package io.postbox.inbox.store;

import io.postbox.common.OutboxProperties;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Sql;
import io.postbox.common.text.Storable;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Fingerprint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The API's view of kept messages of one kind, without their payloads. Reads only. Thread-safe. */
public final class KeptViews {
  private static final String COLUMNS =
      """
      m.id, m.consumer, m.message_id, %s, m.fingerprint, m.fingerprint_version, m.destination,
      m.reply_to, m.body_type, m.encrypted, m.aggregate_type, m.aggregate_id, %s AS since\
      """
          .formatted(KeptRow.REASON, KeptRows.SINCE);

  private static final String OF_PARKED =
      """
      , m.error, m.sealed_error, m.signature,
      GREATEST(m.attempts, m.waited_for) AS attempts, m.source, m.event_type,
      m.aggregate_version\
      """;

  private static final String OF_QUARANTINED =
      ", m.properties, m.stored_fingerprint, m.released_as";

  private static final int LONGEST_NAME = 200;

  private final Kind kind;
  private final SealedTexts texts;
  private final PropertyReader properties;
  private final String page;
  private final String one;
  private final String counts;

  /**
   * @param tables where the tables are
   * @param contents decrypts the recorded errors
   * @param properties reads a text of stored properties
   */
  public KeptViews(Kind kind, TableNames tables, KeptContents contents, PropertyReader properties) {
    this.kind = kind;
    this.properties = properties;
    texts = contents.texts();
    String table = tables.qualified("inbox_stored");
    String columns = COLUMNS + (kind == Kind.PARKED ? OF_PARKED : OF_QUARANTINED);
    page =
        """
        SELECT %s
        FROM %s m
        WHERE m.id > ? %%s
        ORDER BY m.id
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(columns, table);
    one = "SELECT %s FROM %s m WHERE m.id = ? AND %s".formatted(columns, table, KeptRows.of(kind));
    counts =
        """
        SELECT m.consumer, COUNT(*), MIN(%1$s), MAX(%1$s), MAX(m.id)
        FROM %2$s m
        WHERE m.id > 0 %%s
        GROUP BY m.consumer
        ORDER BY m.consumer
        """
            .formatted(KeptRows.SINCE, table);
  }

  /** Reads a text of the properties of a message. */
  public interface PropertyReader {
    /**
     * The text, if there is one.
     *
     * @param stored the properties as they are stored in clear
     */
    Optional<String> text(String stored, String name);
  }

  /**
   * The number of messages that match a filter.
   *
   * @param upTo the highest id of their rows; 0 if there are none
   * @param consumers the number by consumer, without those that have no message
   */
  public record Counted(long upTo, List<ForConsumer> consumers) {}

  /** The kind of messages. */
  public Kind kind() {
    return kind;
  }

  /**
   * Messages in the order in which they were kept aside, in one statement.
   *
   * @param after the id after which to begin
   * @throws IllegalArgumentException if the filter searches unknown or encrypted values
   */
  public List<KeptMessage> page(Connection connection, KeptFilter filter, long after, int limit)
      throws SQLException {
    Conditions conditions = conditions(filter);
    return Sql.list(
        connection,
        page.formatted(conditions.sql()),
        this::message,
        after,
        conditions.values(),
        limit);
  }

  /** The message in this row. */
  public Optional<KeptMessage> one(Connection connection, long id) throws SQLException {
    return Sql.first(connection, one, this::message, id);
  }

  /**
   * Counts the messages that match a filter, in one statement.
   *
   * @throws IllegalArgumentException if the filter searches unknown or encrypted values
   */
  public Counted count(Connection connection, KeptFilter filter) throws SQLException {
    Conditions conditions = conditions(filter);
    long[] upTo = {0};
    List<ForConsumer> found =
        Sql.list(
            connection,
            counts.formatted(conditions.sql()),
            row -> {
              upTo[0] = Math.max(upTo[0], row.getLong(5));
              return new ForConsumer(
                  row.getString(1), row.getLong(2), Sql.instant(row, 3), Sql.instant(row, 4));
            },
            conditions.values());
    return new Counted(upTo[0], found);
  }

  private Conditions conditions(KeptFilter filter) {
    Conditions conditions = KeptConditions.of(kind, filter);
    texts.requireSearchable(filter);
    return conditions;
  }

  private KeptMessage message(ResultSet row) throws SQLException {
    boolean parked = kind == Kind.PARKED;
    String consumer = row.getString("consumer");
    Optional<String> messageId = Sql.text(row, "message_id");
    Fingerprint fingerprint = Fingerprinted.get(row, 5);
    boolean encrypted = row.getBoolean("encrypted");
    return new KeptMessage(
        row.getLong("id"),
        consumer,
        messageId,
        row.getString("reason"),
        parked
            ? texts.openOrTell(
                Place.stored(consumer, messageId.orElseThrow(), fingerprint),
                SealedTexts.ERROR,
                row.getString("error"),
                row.getString("sealed_error"))
            : "",
        parked ? row.getString("signature") : "",
        parked ? row.getInt("attempts") : 0,
        parked ? Sql.text(row, "source") : property(row, encrypted, OutboxProperties.SOURCE),
        parked
            ? Sql.text(row, "event_type")
            : property(row, encrypted, OutboxProperties.EVENT_TYPE),
        Sql.text(row, "aggregate_type"),
        Sql.text(row, "aggregate_id"),
        parked ? version(row) : OptionalLong.empty(),
        fingerprint.sha256(),
        parked
            ? Optional.empty()
            : Optional.ofNullable(row.getBytes("stored_fingerprint"))
                .map(HexFormat.of()::formatHex),
        Sql.text(row, "destination"),
        Sql.text(row, "reply_to"),
        row.getString("body_type"),
        encrypted,
        parked ? Optional.empty() : Sql.text(row, "released_as"),
        Sql.instant(row, "since"));
  }

  static OptionalLong version(ResultSet row) throws SQLException {
    long version = row.getLong("aggregate_version");
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(version);
  }

  private Optional<String> property(ResultSet row, boolean encrypted, String name)
      throws SQLException {
    return encrypted
        ? Optional.empty()
        : properties
            .text(row.getString("properties"), name)
            .map(text -> Storable.line(text, LONGEST_NAME));
  }
}
