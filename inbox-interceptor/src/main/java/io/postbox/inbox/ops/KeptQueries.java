package io.postbox.inbox.ops;

import io.postbox.common.Page;
import io.postbox.common.PlanToken;
import io.postbox.common.StoredPayload;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptMessages;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRow;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.KeptViews;
import io.postbox.inbox.store.KeptViews.Counted;
import io.postbox.inbox.store.KeptViews.PropertyReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Reads kept messages of one kind, each query in a transaction of its own. {@link KeptMessages}
 * says what the methods do. Thread-safe.
 */
public final class KeptQueries {
  private static final int MOST_NAMED = 1_000;

  private final Kind kind;
  private final OperatorCalls calls;
  private final String problem;
  private final KeptViews views;
  private final KeptRows rows;
  private final AuditStore audit;
  private final KeptContents contents;

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts stored contents
   * @param properties reads a text of stored properties
   */
  public KeptQueries(
      Kind kind,
      InboxConfig config,
      DataSource dataSource,
      KeptContents contents,
      PropertyReader properties) {
    this.kind = kind;
    views = new KeptViews(kind, config.tables(), contents, properties);
    calls = new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), InboxLog::failure);
    problem = "The %s messages cannot be read".formatted(BackgroundActions.word(kind));
    rows = new KeptRows(kind, config.tables());
    audit = new AuditStore("inbox", config.tables(), config.service());
    this.contents = contents;
  }

  public List<KeptMessage> find(KeptFilter filter, Page page) {
    return calls.ask(
        problem, connection -> views.page(connection, filter, page.after(), page.size()));
  }

  public Optional<KeptMessage> get(long id) {
    return calls.ask(problem, connection -> views.one(connection, id));
  }

  /** After the reader's name was recorded. */
  public Optional<StoredPayload> payload(long id, String principal) {
    return calls
        .commit(problem, connection -> readOnRecord(connection, id, principal))
        .map(row -> payload(contents.open(row.place(), row.content())));
  }

  /** The reader's name is committed before the content leaves this class. */
  private Optional<KeptRow> readOnRecord(Connection connection, long id, String principal)
      throws SQLException {
    Optional<KeptRow> found = rows.read(connection, id);
    if (found.isPresent()) {
      KeptRow row = found.get();
      audit.write(
          connection,
          new Order("view-payload", principal, "seen")
              .entry(
                  "%s message %s of '%s', id %s"
                      .formatted(
                          BackgroundActions.word(kind),
                          id,
                          row.at().consumer(),
                          Objects.requireNonNullElse(row.at().messageId(), "none"))),
          1);
    }
    return found;
  }

  /** The plan has no token yet. */
  public KeptPlan plan(KeptFilter filter) {
    KeptFilter these = KeptRows.goBack(filter) ? presentOnes(filter) : filter;
    Counted counted = calls.commit(problem, connection -> views.count(connection, these));
    return new KeptPlan(PlanToken.NONE, kind, these, counted.upTo(), counted.consumers());
  }

  /**
   * Messages come and go between their retries, in no order: a plan names those that it covers, the
   * first {@value #MOST_NAMED}.
   */
  private KeptFilter presentOnes(KeptFilter filter) {
    List<Long> ids =
        calls.commit(
            problem,
            connection -> rows.candidates(connection, filter, 0, Long.MAX_VALUE, MOST_NAMED));
    return ids.isEmpty() ? filter.id(0) : filter.ids(ids);
  }

  private static StoredPayload payload(Content content) {
    Optional<ByteBuffer> bytes = Optional.ofNullable(content.bytes());
    boolean isText = content.type() == BodyType.TEXT_UTF16;
    return new StoredPayload(
        (isText ? BodyType.TEXT : content.type()).name(),
        isText
            ? bytes.map(characters -> characters.asCharBuffer().toString())
            : Optional.ofNullable(content.text()),
        isText ? Optional.empty() : bytes.map(KeptContents::array),
        Optional.empty(),
        content.properties());
  }
}
