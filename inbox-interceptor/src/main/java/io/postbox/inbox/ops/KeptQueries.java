package io.postbox.inbox.ops;

import io.postbox.common.Page;
import io.postbox.common.PlanToken;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPayload;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.KeptRows.Row;
import io.postbox.inbox.store.KeptViews;
import io.postbox.inbox.store.KeptViews.Counted;
import io.postbox.inbox.store.KeptViews.PropertyReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads kept messages of one kind, each query in a transaction of its own. Thread-safe.
 *
 * @param <M> the API's view of a message
 */
public final class KeptQueries<M> {
  private final Kind kind;
  private final LocalTransactions transactions;
  private final KeptViews<M> views;
  private final KeptRows rows;
  private final AuditStore audit;
  private final KeptContents contents;

  private KeptQueries(
      KeptViews<M> views, InboxConfig config, DataSource dataSource, KeptContents contents) {
    this.views = views;
    kind = views.kind();
    transactions = LocalTransactions.retryingConflicts(dataSource);
    rows = new KeptRows(kind, config.tables());
    audit = new AuditStore("inbox", config.tables(), config.service());
    this.contents = contents;
  }

  /**
   * Queries of parked messages.
   *
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts stored contents
   */
  public static KeptQueries<ParkedMessage> parked(
      InboxConfig config, DataSource dataSource, KeptContents contents) {
    return new KeptQueries<>(
        KeptViews.parked(config.tables(), contents), config, dataSource, contents);
  }

  /**
   * Queries of quarantined messages.
   *
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts stored contents
   * @param properties reads a text of stored properties
   */
  public static KeptQueries<QuarantinedMessage> quarantined(
      InboxConfig config, DataSource dataSource, KeptContents contents, PropertyReader properties) {
    return new KeptQueries<>(
        KeptViews.quarantined(config.tables(), contents, properties), config, dataSource, contents);
  }

  /**
   * One page, in one query.
   *
   * @throws IllegalArgumentException if the filter searches unknown or encrypted values
   * @throws InboxException if the table cannot be read
   */
  public List<M> find(KeptFilter filter, Page page) {
    return ask(
        LocalTransactions.brief(
            connection -> views.page(connection, filter, page.after(), page.size())));
  }

  /**
   * One message.
   *
   * @throws InboxException if the table cannot be read
   */
  public Optional<M> get(long id) {
    return ask(LocalTransactions.brief(connection -> views.one(connection, id)));
  }

  /**
   * The content of one message, after the reader's name was recorded.
   *
   * @param principal the reader's name
   * @throws InboxException if the table cannot be read, or the body cannot be decrypted
   */
  public Optional<KeptPayload> payload(long id, String principal) {
    return ask(connection -> readOnRecord(connection, id, principal))
        .map(row -> payload(contents.open(row.place(), row.content())));
  }

  /** The reader's name is committed before the content leaves this class. */
  private Optional<Row> readOnRecord(Connection connection, long id, String principal)
      throws SQLException {
    Optional<Row> found = rows.read(connection, id);
    if (found.isPresent()) {
      Row row = found.get();
      audit.write(
          connection,
          new Entry(
              UUID.randomUUID(),
              "view-payload",
              principal,
              "seen",
              "%s message %s of '%s', id %s"
                  .formatted(
                      kind.name().toLowerCase(Locale.ROOT),
                      id,
                      row.at().consumer(),
                      Objects.requireNonNullElse(row.at().messageId(), "none"))),
          1);
    }
    return found;
  }

  /**
   * Counts the messages that match a filter, in one query; the plan has no token yet.
   *
   * @throws IllegalArgumentException if the filter searches unknown or encrypted values
   * @throws InboxException if the table cannot be read
   */
  public KeptPlan plan(KeptFilter filter) {
    Counted counted = ask(connection -> views.count(connection, filter));
    return new KeptPlan(PlanToken.NONE, kind, filter, counted.upTo(), counted.consumers());
  }

  private static KeptPayload payload(Content content) {
    ByteBuffer bytes = content.bytes();
    if (bytes != null && content.type() == BodyType.TEXT_UTF16) {
      return payload(BodyType.TEXT, bytes.asCharBuffer().toString(), null, content.properties());
    }
    byte[] array = null;
    if (bytes != null) {
      array = new byte[bytes.remaining()];
      bytes.duplicate().get(array);
    }
    return payload(content.type(), content.text(), array, content.properties());
  }

  private static KeptPayload payload(
      BodyType type, @Nullable String text, byte @Nullable [] bytes, String properties) {
    return new KeptPayload(
        type.name(), Optional.ofNullable(text), Optional.ofNullable(bytes), properties);
  }

  private <T> T ask(Work<T> question) {
    try {
      return transactions.commit(question);
    } catch (SQLException failed) {
      throw new InboxException(
          "The %s messages cannot be read: %s"
              .formatted(kind.name().toLowerCase(Locale.ROOT), InboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }
}
