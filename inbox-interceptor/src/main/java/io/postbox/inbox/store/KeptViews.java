package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.common.text.Storable;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.message.Fingerprint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The API's view of kept messages of one kind, without their payloads. Reads only. Thread-safe.
 *
 * @param <M> the API's view of a message
 */
public final class KeptViews<M> {
  private static final String OF_BOTH =
      """
      m.id, m.consumer, m.message_id, m.reason, m.fingerprint, m.fingerprint_version, m.destination,
      m.reply_to, m.body_type, m.encrypted\
      """;

  private static final String PARKED =
      OF_BOTH
          + """
          , m.error, m.sealed_error, m.signature, m.attempts, m.source, m.event_type,
          m.aggregate_type, m.aggregate_id, m.aggregate_version, m.kept_at\
          """;

  private static final String QUARANTINED =
      OF_BOTH
          + """
          , m.aggregate_type, m.aggregate_id, m.properties, m.stored_fingerprint, m.released_as,
          m.kept_at\
          """;

  private static final int LONGEST_NAME = 200;

  private final Kind kind;
  private final SealedTexts texts;
  private final View<M> view;
  private final String page;
  private final String one;
  private final String counts;

  private KeptViews(
      Kind kind, String columns, View<M> view, TableNames tables, KeptContents contents) {
    this.kind = kind;
    this.view = view;
    texts = contents.texts();
    String table = tables.qualified("inbox_stored");
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
        SELECT m.consumer, COUNT(*), MIN(m.kept_at), MAX(m.kept_at), MAX(m.id)
        FROM %s m
        WHERE m.id > 0 %%s
        GROUP BY m.consumer
        ORDER BY m.consumer
        """
            .formatted(table);
  }

  /**
   * The views of parked messages.
   *
   * @param tables where the tables are
   * @param contents decrypts the recorded errors
   */
  public static KeptViews<ParkedMessage> parked(TableNames tables, KeptContents contents) {
    return new KeptViews<>(Kind.PARKED, PARKED, KeptViews::parked, tables, contents);
  }

  /**
   * The views of quarantined messages.
   *
   * @param tables where the tables are
   * @param contents knows which columns are encrypted
   * @param properties reads a text of stored properties
   */
  public static KeptViews<QuarantinedMessage> quarantined(
      TableNames tables, KeptContents contents, PropertyReader properties) {
    return new KeptViews<>(
        Kind.QUARANTINED,
        QUARANTINED,
        (row, texts) -> quarantined(row, properties),
        tables,
        contents);
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

  /** Maps a row to a view. */
  private interface View<M> {
    M of(ResultSet row, SealedTexts texts) throws SQLException;
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
  public List<M> page(Connection connection, KeptFilter filter, long after, int limit)
      throws SQLException {
    KeptConditions conditions = conditions(filter);
    return Sql.list(
        connection,
        page.formatted(conditions.sql()),
        row -> view.of(row, texts),
        after,
        conditions.values(),
        limit);
  }

  /** The message in this row. */
  public Optional<M> one(Connection connection, long id) throws SQLException {
    return Sql.first(connection, one, row -> view.of(row, texts), id);
  }

  /**
   * Counts the messages that match a filter, in one statement.
   *
   * @throws IllegalArgumentException if the filter searches unknown or encrypted values
   */
  public Counted count(Connection connection, KeptFilter filter) throws SQLException {
    KeptConditions conditions = conditions(filter);
    try (PreparedStatement statement =
        connection.prepareStatement(counts.formatted(conditions.sql()))) {
      Sql.bind(statement, conditions.values());
      List<ForConsumer> found = new ArrayList<>();
      long upTo = 0;
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          upTo = Math.max(upTo, row.getLong(5));
          found.add(
              new ForConsumer(row.getString(1), row.getLong(2), instant(row, 3), instant(row, 4)));
        }
      }
      return new Counted(upTo, found);
    }
  }

  private KeptConditions conditions(KeptFilter filter) {
    KeptConditions conditions = KeptConditions.of(kind, filter);
    texts.requireSearchable(filter);
    return conditions;
  }

  private static ParkedMessage parked(ResultSet row, SealedTexts texts) throws SQLException {
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    Fingerprint fingerprint = Fingerprinted.get(row, 5);
    long version = row.getLong("aggregate_version");
    OptionalLong aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(version);
    return new ParkedMessage(
        row.getLong("id"),
        consumer,
        messageId,
        row.getString("reason"),
        texts.openOrTell(
            Place.stored(consumer, messageId, fingerprint),
            SealedTexts.ERROR,
            row.getString("error"),
            row.getString("sealed_error")),
        row.getString("signature"),
        row.getInt("attempts"),
        text(row, "source"),
        text(row, "event_type"),
        text(row, "aggregate_type"),
        text(row, "aggregate_id"),
        aggregateVersion,
        fingerprint.sha256(),
        text(row, "destination"),
        text(row, "reply_to"),
        row.getString("body_type"),
        row.getBoolean("encrypted"),
        row.getObject("kept_at", OffsetDateTime.class).toInstant());
  }

  private static QuarantinedMessage quarantined(ResultSet row, PropertyReader properties)
      throws SQLException {
    String stored = row.getString("properties");
    boolean encrypted = row.getBoolean("encrypted");
    return new QuarantinedMessage(
        row.getLong("id"),
        row.getString("consumer"),
        text(row, "message_id"),
        row.getString("reason"),
        encrypted ? Optional.empty() : name(properties, stored, "OutboxSource"),
        encrypted ? Optional.empty() : name(properties, stored, "OutboxEventType"),
        text(row, "aggregate_type"),
        text(row, "aggregate_id"),
        Fingerprinted.get(row, 5).sha256(),
        Optional.ofNullable(row.getBytes("stored_fingerprint")).map(HexFormat.of()::formatHex),
        text(row, "destination"),
        text(row, "reply_to"),
        row.getString("body_type"),
        encrypted,
        text(row, "released_as"),
        row.getObject("kept_at", OffsetDateTime.class).toInstant());
  }

  private static Optional<String> name(PropertyReader properties, String stored, String name) {
    return properties.text(stored, name).map(text -> Storable.line(text, LONGEST_NAME));
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
