package io.postbox.inbox.config;

import io.postbox.common.config.Confidentiality;
import io.postbox.common.config.Durations;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.config.ModuleConfig;
import io.postbox.common.config.TableNames;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The inbox's validated configuration. Keys and bounds are in docs/configuration.md.
 *
 * @param service the owner of the tables
 * @param dataSource global JNDI name of the application's data source
 * @param tables where the tables are
 * @param createTables whether to create missing tables at start
 * @param chosenConnectionFactory JNDI name of the JMS connection factory, for delayed retries and
 *     replies, of consumers that have none of their own; without it, they use the server's default
 * @param onMismatch the treatment of a known id with other content
 * @param outageWait how long a delivery waits for an unavailable database
 * @param stopGrace how long running handlers have when the application stops
 * @param tablePartitioning how {@code inbox_message} is partitioned
 * @param confidentiality how payloads and error texts are protected
 * @param others the settings of consumers without settings of their own
 * @param consumers the consumers' own settings, by name
 * @param metrics where the metrics go
 * @param unknownKeys the report on unknown keys, if they are only reported
 */
public record InboxConfig(
    String service,
    String dataSource,
    TableNames tables,
    boolean createTables,
    Optional<String> chosenConnectionFactory,
    OnMismatch onMismatch,
    Duration outageWait,
    Duration stopGrace,
    TablePartitioning tablePartitioning,
    Confidentiality confidentiality,
    ConsumerConfig others,
    Map<String, ConsumerConfig> consumers,
    MetricsSystem metrics,
    List<String> unknownKeys)
    implements ModuleConfig {

  private static final String DEFAULT_CONNECTION_FACTORY = "java:comp/DefaultJMSConnectionFactory";

  /** The treatment of a delivery with a known id and other content. */
  public enum OnMismatch {
    /** The delivery is quarantined and acknowledged. */
    QUARANTINE,
    /**
     * The delivery is rolled back, and the message is redelivered until an operator takes it from
     * its queue.
     */
    REJECT
  }

  /** The partitions of {@code inbox_message}; only on PostgreSQL. */
  public enum TablePartitioning {
    /** Nothing. */
    NONE,
    /** A table for the ids of each day, which must all be UUIDs of version 7. */
    DAILY
  }

  /** A consumer's settings. */
  public ConsumerConfig of(String consumer) {
    return consumers.getOrDefault(consumer, others);
  }

  /** The order of versions of each consumer that has one. */
  public SortedMap<String, VersionOrder> orders() {
    SortedMap<String, VersionOrder> orders = new TreeMap<>();
    consumers.forEach(
        (consumer, settings) -> settings.order().ifPresent(order -> orders.put(consumer, order)));
    return orders;
  }

  /** JNDI name of the connection factory of consumers that have none of their own. */
  public String connectionFactory() {
    return chosenConnectionFactory.orElse(DEFAULT_CONNECTION_FACTORY);
  }

  /** Whether a setting names the connection factory with which a consumer's messages are sent. */
  public boolean choosesConnectionFactoryOf(String consumer) {
    return of(consumer).connectionFactory().or(() -> chosenConnectionFactory).isPresent();
  }

  /** JNDI name of the connection factory with which a consumer's messages are sent. */
  public String connectionFactoryOf(String consumer) {
    return of(consumer).connectionFactory().orElseGet(this::connectionFactory);
  }

  /** JNDI names of all connection factories, beginning with that of all consumers. */
  public List<String> connectionFactories() {
    return Stream.concat(
            Stream.of(connectionFactory()),
            consumers.values().stream().flatMap(it -> it.connectionFactory().stream()).sorted())
        .distinct()
        .toList();
  }

  /** The longest retention of any consumer. */
  public Duration longestRetention() {
    return consumers.values().stream()
        .map(ConsumerConfig::retention)
        .reduce(others.retention(), Durations::longer);
  }
}
