package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPage;
import io.postbox.inbox.KeptPayload;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.ExceptionTexts;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.store.AuditStore;
import io.postbox.inbox.store.AuditStore.Entry;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.KeptRows.Row;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of one kind that are kept aside. Thread-safe; opens its persistence unit once, and
 * closes it.
 *
 * @param <E> their entity
 * @param <M> what a user sees
 */
public final class KeptQueries<E, M> implements AutoCloseable {
  private final Kind kind;
  private final Class<E> entity;
  private final Function<E, M> view;
  private final EntityManagerFactory unit;
  private final OwnTransactions transactions;
  private final KeptRows rows;
  private final AuditStore audit;
  private final KeptContents contents;

  /**
   * Opens the persistence unit.
   *
   * @param shape of which kind
   * @param config where the tables are
   * @param dataSource the inbox's data source
   * @param contents opens what is stored
   */
  public KeptQueries(
      KeptShape<E, M> shape, InboxConfig config, DataSource dataSource, KeptContents contents) {
    kind = shape.kind();
    entity = shape.entity();
    view = row -> shape.view().apply(row, contents.texts());
    unit =
        PersistenceUnit.open(
            "postbox-kept-" + config.service() + "-" + UUID.randomUUID(), // shared with nobody
            dataSource,
            config.tables(),
            List.of(entity));
    transactions = new OwnTransactions(dataSource);
    rows = new KeptRows(kind, config.tables());
    audit = new AuditStore(config.tables(), config.service());
    this.contents = contents;
  }

  /**
   * One page, in one query.
   *
   * @throws IllegalArgumentException if the filter asks for what is not known, or is encrypted
   * @throws InboxException if the table cannot be read
   */
  public List<M> find(KeptFilter filter, KeptPage page) {
    String jpql =
        "SELECT m FROM %s m WHERE m.id > :after%s ORDER BY m.id"
            .formatted(name(), condition(filter));
    return ask(
        entities ->
            KeptJpql.bind(entities.createQuery(jpql, entity), filter)
                .setParameter("after", page.after())
                .setMaxResults(page.size())
                .getResultList()
                .stream()
                .map(view)
                .toList());
  }

  /**
   * One message.
   *
   * @throws InboxException if the table cannot be read
   */
  public Optional<M> get(long id) {
    return ask(entities -> Optional.ofNullable(entities.find(entity, id)).map(view));
  }

  /**
   * All of one message, once it is on record who sees it.
   *
   * @param principal who asks
   * @throws InboxException if the table cannot be read, or the body cannot be decrypted
   */
  public Optional<KeptPayload> payload(long id, String principal) {
    try {
      return transactions
          .commit(connection -> readOnRecord(connection, id, principal))
          .map(row -> payload(contents.open(row.place(kind), row.content())));
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
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
              "%s message %d of '%s', id %s"
                  .formatted(
                      kind.name().toLowerCase(Locale.ROOT),
                      id,
                      row.consumer(),
                      Objects.requireNonNullElse(row.messageId(), "none"))),
          1);
    }
    return found;
  }

  /**
   * Counts what a filter finds, in one query; the plan has no token yet.
   *
   * @throws IllegalArgumentException if the filter asks for what is not known, or is encrypted
   * @throws InboxException if the table cannot be read
   */
  public KeptPlan plan(KeptFilter filter) {
    String jpql =
        """
        SELECT m.consumer, COUNT(m.id), MIN(m.keptAt), MAX(m.keptAt), MAX(m.id)
        FROM %s m
        WHERE m.id > 0%s
        GROUP BY m.consumer
        ORDER BY m.consumer
        """
            .formatted(name(), condition(filter));
    return ask(
        entities -> {
          List<ForConsumer> found = new ArrayList<>();
          long upTo = 0;
          for (Object[] row :
              KeptJpql.bind(entities.createQuery(jpql, Object[].class), filter).getResultList()) {
            upTo = Math.max(upTo, (Long) row[4]);
            found.add(
                new ForConsumer(
                    (String) row[0], (Long) row[1], Times.instant(row[2]), Times.instant(row[3])));
          }
          return new KeptPlan(PlanTokens.NONE, kind, filter, upTo, found);
        });
  }

  @Override
  public void close() {
    unit.close();
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

  private String condition(KeptFilter filter) {
    String condition = KeptJpql.condition(kind, filter);
    contents.texts().requireSearchable(filter);
    return condition;
  }

  private String name() {
    return kind == Kind.PARKED ? "ParkedMessage" : "QuarantinedMessage";
  }

  private <T> T ask(Function<EntityManager, T> question) {
    try (EntityManager entities = unit.createEntityManager()) {
      return question.apply(entities);
    } catch (PersistenceException failed) {
      throw unreadable(failed);
    }
  }

  private InboxException unreadable(Exception failed) {
    return new InboxException(
        "The %s messages cannot be read: %s"
            .formatted(kind.name().toLowerCase(Locale.ROOT), ExceptionTexts.of(failed)),
        failed);
  }
}
