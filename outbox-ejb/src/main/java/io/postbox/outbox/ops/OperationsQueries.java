package io.postbox.outbox.ops;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.OutboxConfig;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/** Counts what is in the outbox. Thread-safe; opens its persistence unit once, and closes it. */
public final class OperationsQueries implements AutoCloseable {
  private static final String COUNTS =
      """
      SELECT m.destination, m.status, COUNT(m), MIN(m.createdAt), CURRENT_TIMESTAMP
      FROM OutboxMessage m
      GROUP BY m.destination, m.status
      """;

  private final EntityManagerFactory unit;

  /**
   * Opens the persistence unit.
   *
   * @param config where the tables are
   * @param dataSource the outbox's data source
   */
  public OperationsQueries(OutboxConfig config, DataSource dataSource) {
    unit =
        PersistenceUnit.open(
            "postbox-outbox-" + config.service() + "-" + UUID.randomUUID(), // shared with nobody
            dataSource,
            config.tables(),
            List.of(OutboxMessageEntity.class));
  }

  /**
   * One query over the whole table.
   *
   * @throws OutboxException if the table cannot be read
   */
  public List<DestinationStatistics> byDestination() {
    var byName = new TreeMap<String, DestinationStatistics>();
    try (EntityManager entities = unit.createEntityManager()) {
      for (Object[] row : entities.createQuery(COUNTS, Object[].class).getResultList()) {
        DestinationStatistics counted = statistics(row);
        byName.merge(counted.destination(), counted, OperationsQueries::sum);
      }
    } catch (PersistenceException failed) {
      throw new OutboxException("The outbox cannot be counted: " + failed.getMessage(), failed);
    }
    return List.copyOf(byName.values());
  }

  @Override
  public void close() {
    unit.close();
  }

  private static DestinationStatistics statistics(Object[] row) {
    String destination = (String) row[0];
    long count = ((Number) row[2]).longValue();
    if ("DEAD".equals(row[1])) {
      return new DestinationStatistics(destination, 0, count, Duration.ZERO);
    }
    Duration age = Duration.between(instant(row[3]), instant(row[4]));
    return new DestinationStatistics(destination, count, 0, age.isNegative() ? Duration.ZERO : age);
  }

  private static DestinationStatistics sum(DestinationStatistics one, DestinationStatistics other) {
    return new DestinationStatistics(
        one.destination(),
        one.pending() + other.pending(),
        one.dead() + other.dead(),
        one.oldestPending().compareTo(other.oldestPending()) >= 0
            ? one.oldestPending()
            : other.oldestPending());
  }

  /** Databases and drivers differ in what they make of a time. */
  private static Instant instant(Object time) {
    if (time instanceof OffsetDateTime offset) {
      return offset.toInstant();
    }
    return ((Timestamp) time).toInstant();
  }
}
