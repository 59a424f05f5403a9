package io.postbox.common.platform;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * Payara, and GlassFish, from which it comes, by the MBeans with which they show their
 * configuration, and by those of their broker, OpenMQ.
 */
final class Payara extends Platform {
  private static final String DOMAIN = "amx:pp=/domain";
  private static final String BOOT = "amx-support:type=boot-amx";
  private static final String CONFIGURATION = DOMAIN + "/configs/config[%s],type=%s";
  private static final String REDELIVERIES =
      "amx:pp=%s/mdb-container,type=property,name=cmt-max-runtime-exceptions";
  private static final String BROKER = "com.sun.messaging.jms.server:type=Broker,subtype=Config";
  private static final String DEFAULT_DATA_SOURCE = "java:comp/DefaultDataSource";
  private static final String MESSAGING = "com.sun.messaging.";
  private static final String NOT_SYNCHRONISED = "messages that are not on the disk yet";

  /** How often a message is redelivered where the configuration says nothing. */
  private static final int DEFAULT_REDELIVERIES = 1;

  private static final Pattern POSITIVE = Pattern.compile("[1-9]\\d{0,9}");

  private final ManagedBeans beans = new ManagedBeans();

  @Override
  boolean isHere() {
    return System.getProperty("com.sun.aas.instanceRoot") != null;
  }

  @Override
  String toDo(ServerSetting setting) {
    return switch (setting) {
      case CONFIGURATION -> "a config property of the domain (set-config-property)";
      case READ_COMMITTED ->
          "set transaction-isolation-level=read-committed on the jdbc-connection-pool";
      case LARGER_POOL -> "set max-pool-size on the jdbc-connection-pool";
      case TWO_PHASES -> "set res-type=javax.sql.XADataSource on the jdbc-connection-pool";
      case ONE_PHASE -> "set res-type=javax.sql.DataSource on the jdbc-connection-pool";
      case TRANSACTIONAL ->
          "remove non-transactional-connections=true from the jdbc-connection-pool";
      case RECOVERY -> "set automatic-recovery=true on the transaction-service";
      case LONGER_TRANSACTIONS, LONGER_DELIVERIES ->
          "raise timeout-in-seconds of the transaction-service";
      case DURABLE_MAPPING ->
          "set start-args=-Dimq.persist.file.sync.enabled=true on the jms-service";
      case UNLIMITED_DELIVERIES ->
          "set the property cmt-max-runtime-exceptions=2147483647 on the mdb-container";
      case QUEUE -> "create a jms-resource with it as its name";
    };
  }

  @Override
  public String toGet(String name) {
    return "take the full distribution, which has what Open Liberty calls %s".formatted(name);
  }

  @Override
  public Optional<String> globalName(String name) {
    return switch (name) {
      case DEFAULT_DATA_SOURCE -> Optional.of("jdbc/__default");
      case "java:comp/DefaultJMSConnectionFactory" -> Optional.of("jms/__defaultConnectionFactory");
      default -> Optional.empty();
    };
  }

  /**
   * The one name that it does not take for that of a persistence provider's data source: see {@link
   * #wholeTransaction}.
   */
  @Override
  Set<String> dataSourcesOutside() {
    return PersistenceUnits.dataSources(Thread.currentThread().getContextClassLoader()).stream()
        .filter(DEFAULT_DATA_SOURCE::equals)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * What it gives to persistence providers. By its plain name, a connection is part of the
   * component's transaction, and outside of it when a flush comes after the component's method. A
   * data source that an application defines has no such name.
   */
  @Override
  public Optional<String> wholeTransaction(String name) {
    return Optional.of(globalName(name).orElse(name) + "__pm");
  }

  /** It copies the context of an enterprise bean with its list of open connections. */
  @Override
  public boolean contextsShareConnections() {
    return true;
  }

  @Override
  Optional<Boolean> isXa(String name, Object dataSource) {
    return pool(name)
        .map(
            pool ->
                beans
                    .attribute(pool, "ResType", String.class)
                    .filter("javax.sql.XADataSource"::equals)
                    .isPresent());
  }

  @Override
  Optional<Integer> poolSize(String dataSource) {
    return pool(dataSource).flatMap(pool -> number(pool, "MaxPoolSize"));
  }

  private Optional<ObjectName> pool(String dataSource) {
    return named("jdbc-resource", "JndiName", dataSource)
        .flatMap(resource -> beans.attribute(resource, "PoolName", String.class))
        .flatMap(pool -> named("jdbc-connection-pool", "Name", pool));
  }

  private Optional<ObjectName> named(String type, String attribute, String name) {
    return configured(DOMAIN + "/resources,type=" + type + ",*")
        .filter(it -> beans.attribute(it, attribute, String.class).filter(name::equals).isPresent())
        .findFirst();
  }

  @Override
  Optional<Boolean> recoversAtStart(Function<String, Optional<Object>> bound) {
    return service("transaction-service")
        .flatMap(it -> beans.attribute(it, "AutomaticRecovery", String.class))
        .map(Boolean::valueOf);
  }

  /** One limit for all transactions. */
  @Override
  Optional<Duration> longestTransaction(
      TransactionKind kind, Function<String, Optional<Object>> bound) {
    return service("transaction-service")
        .map(it -> Duration.ofSeconds(number(it, "TimeoutInSeconds").orElse(0)));
  }

  /**
   * OpenMQ writes a message into its file, and leaves it to the system when that is on the disk.
   */
  @Override
  Optional<String> persistentMapping(Object connectionFactory) {
    return mapping(connectionFactory.getClass().getName());
  }

  /** That of a factory of this class. */
  Optional<String> mapping(String factory) {
    if (!factory.startsWith(MESSAGING)) {
      return Optional.empty();
    }
    return beans.names(BROKER).stream()
        .map(it -> beans.invoke(it, "getProperty", "imq.persist.file.sync.enabled"))
        .map(String::valueOf)
        .map(it -> Boolean.parseBoolean(it.strip()) ? ServerFacts.PERSISTENT : NOT_SYNCHRONISED)
        .findFirst();
  }

  /** That of beans which have none of their own. */
  @Override
  Optional<Integer> mostDeliveries() {
    return service("mdb-container")
        .map(
            container ->
                configured(REDELIVERIES.formatted(container.getKeyProperty("pp")))
                    .flatMap(it -> number(it, "Value").stream())
                    .findFirst()
                    .orElse(DEFAULT_REDELIVERIES))
        .map(again -> again == Integer.MAX_VALUE ? 0 : again + 1);
  }

  /** A part of this server's configuration, whatever other servers the domain has. */
  private Optional<ObjectName> service(String type) {
    return configured("amx:type=J2EEServer,*")
        .map(it -> it.getKeyProperty("name"))
        .flatMap(server -> configured(DOMAIN + "/servers,type=server,name=" + server))
        .flatMap(server -> beans.attribute(server, "ConfigRef", String.class).stream())
        .flatMap(name -> configured(CONFIGURATION.formatted(name, type)))
        .findFirst();
  }

  /** The server shows its configuration after it has been asked to, which takes it a second. */
  private Stream<ObjectName> configured(String pattern) {
    if (beans.names("amx:*").isEmpty() && beans.isThere(ManagedBeans.name(BOOT))) {
      beans.invoke(ManagedBeans.name(BOOT), "bootAMX");
    }
    return beans.names(pattern).stream();
  }

  /** Its attributes are strings, which may be variables. */
  private Optional<Integer> number(ObjectName bean, String attribute) {
    return beans
        .attribute(bean, attribute, String.class)
        .map(POSITIVE::matcher)
        .filter(Matcher::matches)
        .map(it -> (int) Math.min(Integer.MAX_VALUE, Long.parseLong(it.group())));
  }
}
