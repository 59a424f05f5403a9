package io.postbox.outbox.ops;

import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.DeadLetters.Page;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.ExceptionTexts;
import io.postbox.outbox.store.StoredErrors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads dead letters. Thread-safe; opens its persistence unit once, and closes it. */
public final class DeadLetterQueries implements AutoCloseable {
  private static final String PAGE =
      "SELECT m FROM OutboxMessage m WHERE m.seq > :after AND %s ORDER BY m.seq";

  private static final String ONE =
      "SELECT m FROM OutboxMessage m WHERE m.id = :id AND m.status = 'DEAD'";

  private static final String COUNTS =
      """
      SELECT m.destination, COUNT(m.seq), COUNT(DISTINCT m.orderingKey), MIN(m.createdAt),
             MAX(m.createdAt), CURRENT_TIMESTAMP,
             SUM(CASE WHEN m.expiresAt <= CURRENT_TIMESTAMP THEN 1 ELSE 0 END)
      FROM OutboxMessage m
      WHERE %s
      GROUP BY m.destination
      ORDER BY m.destination
      """;

  private static final String FOLLOWERS =
      """
      SELECT f.destination, COUNT(f.seq)
      FROM OutboxMessage f
      WHERE f.status = 'HELD' AND EXISTS (
        SELECT m.seq FROM OutboxMessage m
        WHERE m.partition = f.partition AND m.destination = f.destination
          AND m.orderingKey = f.orderingKey AND %s)
      GROUP BY f.destination
      """;

  private final EntityManagerFactory unit;
  private final StoredErrors errors;

  /**
   * Opens the persistence unit.
   *
   * @param config where the tables are
   * @param dataSource the outbox's data source
   * @param errors opens what is said of failed attempts
   */
  public DeadLetterQueries(OutboxConfig config, DataSource dataSource, StoredErrors errors) {
    this.errors = errors;
    unit =
        PersistenceUnit.open(
            "postbox-letters-" + config.service() + "-" + UUID.randomUUID(), // shared with nobody
            dataSource,
            config.tables(),
            List.of(OutboxMessageEntity.class));
  }

  /**
   * One page, in one query.
   *
   * @throws IllegalArgumentException if the filter asks for what is encrypted
   * @throws OutboxException if the table cannot be read
   */
  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    errors.requireSearchable(filter);
    String jpql = PAGE.formatted(LetterJpql.condition(filter));
    return ask(
        entities ->
            LetterJpql.bind(entities.createQuery(jpql, OutboxMessageEntity.class), filter)
                .setParameter("after", page.after())
                .setMaxResults(page.size())
                .getResultList()
                .stream()
                .map(this::letter)
                .toList());
  }

  /**
   * One letter.
   *
   * @throws OutboxException if the table cannot be read
   */
  public Optional<DeadLetter> get(UUID id) {
    return ask(
        entities ->
            entities
                .createQuery(ONE, OutboxMessageEntity.class)
                .setParameter("id", id)
                .getResultStream()
                .findAny()
                .map(this::letter));
  }

  /**
   * Counts what a filter finds, in two queries; the plan has no token yet.
   *
   * @throws IllegalArgumentException if the filter asks for what is encrypted
   * @throws OutboxException if the table cannot be read
   */
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    errors.requireSearchable(filter);
    String condition = LetterJpql.condition(filter);
    return ask(
        entities -> {
          List<Object[]> counts = rows(entities, COUNTS.formatted(condition), filter);
          Map<Object, Long> followers = new HashMap<>();
          if (!counts.isEmpty()) {
            rows(entities, FOLLOWERS.formatted(condition), filter)
                .forEach(row -> followers.put(row[0], (Long) row[1]));
          }
          return plan(filter, counts, followers);
        });
  }

  @Override
  public void close() {
    unit.close();
  }

  private <T> T ask(Function<EntityManager, T> question) {
    try (EntityManager entities = unit.createEntityManager()) {
      return question.apply(entities);
    } catch (PersistenceException failed) {
      throw new OutboxException(
          "Dead letters cannot be read: " + ExceptionTexts.of(failed), failed);
    }
  }

  private static List<Object[]> rows(EntityManager entities, String jpql, DeadLetterFilter filter) {
    return LetterJpql.bind(entities.createQuery(jpql, Object[].class), filter).getResultList();
  }

  private static DeadLetterPlan plan(
      DeadLetterFilter filter, List<Object[]> counts, Map<Object, Long> followers) {
    List<ForDestination> found = new ArrayList<>();
    Instant asOf = Instant.EPOCH; // where nothing is dead, the plan is for nothing
    for (Object[] row : counts) {
      asOf = Times.instant(row[5]);
      found.add(
          new ForDestination(
              (String) row[0],
              (Long) row[1],
              (Long) row[2],
              followers.getOrDefault(row[0], 0L),
              ((Number) row[6]).longValue(),
              Times.instant(row[3]),
              Times.instant(row[4])));
    }
    return new DeadLetterPlan(PlanTokens.NONE, filter, asOf, DeadLetterPlan.DEFAULT_RATE, found);
  }

  private DeadLetter letter(OutboxMessageEntity row) {
    return new DeadLetter(
        row.seq,
        Objects.requireNonNull(row.id),
        row.destination,
        Optional.ofNullable(row.orderingKey),
        Optional.ofNullable(row.aggregateType),
        Optional.ofNullable(row.aggregateId),
        Optional.ofNullable(row.eventType),
        Optional.ofNullable(row.schemaVersion),
        row.contentType,
        Optional.ofNullable(row.traceParent),
        row.attempts,
        instant(row.createdAt),
        instant(row.dueAt),
        errors.openOrTell(row.partition, row.seq, Objects.requireNonNullElse(row.lastError, "")),
        Objects.requireNonNullElse(row.signature, ""));
  }

  private static Instant instant(@Nullable OffsetDateTime time) {
    return Objects.requireNonNull(time).toInstant();
  }
}
