package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Counts what is in the inbox. Thread-safe; opens its persistence unit once, and closes it. */
public final class OperationsQueries implements AutoCloseable {
  private static final String QUARANTINED =
      "SELECT q.consumer, COUNT(q) FROM QuarantinedMessage q GROUP BY q.consumer";

  private final EntityManagerFactory unit;

  /**
   * Opens the persistence unit.
   *
   * @param config where the tables are
   * @param dataSource the inbox's data source
   */
  public OperationsQueries(InboxConfig config, DataSource dataSource) {
    unit =
        PersistenceUnit.open(
            // of its own, because the provider keeps sessions by name, over all applications
            "postbox-inbox-" + config.service() + "-" + UUID.randomUUID(),
            dataSource,
            config.tables(),
            List.of(QuarantinedMessageEntity.class));
  }

  /**
   * How many deliveries are kept aside, by consumer, for those that have any.
   *
   * @throws InboxException if the table cannot be read
   */
  public Map<String, Long> quarantinedByConsumer() {
    try (EntityManager entities = unit.createEntityManager()) {
      return entities
          .createQuery(QUARANTINED, Object[].class)
          .getResultStream()
          .collect(
              Collectors.toUnmodifiableMap(
                  row -> (String) row[0], row -> ((Number) row[1]).longValue()));
    } catch (PersistenceException failed) {
      throw new InboxException("The inbox cannot be counted: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    unit.close();
  }
}
