package io.postbox.common.platform;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/** WildFly, by the MBeans with which it shows its management model. */
final class WildFly extends Platform {
  private static final String SUBSYSTEM = "jboss.as:subsystem=";
  private static final String DATA_SOURCES = SUBSYSTEM + "datasources,data-source=*";
  private static final String XA_DATA_SOURCES = SUBSYSTEM + "datasources,xa-data-source=*";
  private static final String TRANSACTIONS = SUBSYSTEM + "transactions";

  private static final String STATE = "jboss.root:type=state";
  private static final String ADDRESSES =
      SUBSYSTEM + "messaging-activemq,server=*,address-setting=*";
  private static final Set<String> ALL_ADDRESSES = Set.of("#", "\"#\"");

  /** What Artemis has where the model says nothing. */
  private static final int DEFAULT_DELIVERIES = 10;

  /** What IronJacamar has where the model says nothing. */
  private static final int DEFAULT_POOL_SIZE = 20;

  private static final Pattern MODULE = Pattern.compile("Module \"([^\"]+)\"");

  private final ManagedBeans beans = new ManagedBeans();

  @Override
  boolean isHere() {
    return System.getProperty("jboss.server.base.dir") != null;
  }

  @Override
  String toDo(ServerSetting setting) {
    return switch (setting) {
      case CONFIGURATION -> "a system property of the server";
      case READ_COMMITTED ->
          "set transaction-isolation=TRANSACTION_READ_COMMITTED on the data-source of the subsystem"
              + " datasources";
      case LARGER_POOL -> "set max-pool-size on it in the subsystem datasources";
      case TWO_PHASES -> "define it as an xa-data-source in the subsystem datasources";
      case ONE_PHASE -> "define it as a data-source, not an xa-data-source";
      case TRANSACTIONAL -> "set jta=true on the data-source of the subsystem datasources";
      case RECOVERY -> "leave the recovery of the subsystem transactions switched on";
      case LONGER_TRANSACTIONS -> "raise maximum-timeout of the subsystem transactions";
      case LONGER_DELIVERIES -> "raise default-timeout of the subsystem transactions";
      case DURABLE_MAPPING -> "let the connection factory send persistent messages as such";
      case UNLIMITED_DELIVERIES ->
          "set max-delivery-attempts=-1 on the address-setting # of the subsystem messaging-activemq";
      case QUEUE ->
          "define a jms-queue with it among its entries in the subsystem messaging-activemq";
    };
  }

  @Override
  public String toGet(String name) {
    return "add the extension and the subsystem for what Open Liberty calls %s".formatted(name);
  }

  @Override
  public boolean tellsSettings() {
    return !isStarting(beans);
  }

  /** Its management model fails and complains as long as it is, with the applications in it. */
  static boolean isStarting(ManagedBeans beans) {
    return beans
        .attribute(ManagedBeans.name(STATE), "ProcessState", String.class)
        .filter("starting"::equals)
        .isPresent();
  }

  @Override
  public Optional<String> globalName(String name) {
    return switch (name) {
      case "java:comp/TransactionSynchronizationRegistry" ->
          Optional.of("java:jboss/TransactionSynchronizationRegistry");
      case "java:comp/UserTransaction" -> Optional.of("java:jboss/UserTransaction");
      case "java:comp/DefaultJMSConnectionFactory" ->
          Optional.of("java:jboss/DefaultJMSConnectionFactory");
      default -> Optional.empty();
    };
  }

  @Override
  Optional<Boolean> isXa(String name, Object dataSource) {
    if (find(XA_DATA_SOURCES, name).isPresent()) {
      return Optional.of(true);
    }
    return find(DATA_SOURCES, name).map(found -> false);
  }

  @Override
  Optional<Integer> poolSize(String dataSource) {
    return find(XA_DATA_SOURCES, dataSource)
        .or(() -> find(DATA_SOURCES, dataSource))
        .flatMap(found -> beans.attribute(found, "maxPoolSize", Integer.class, DEFAULT_POOL_SIZE));
  }

  private Optional<ObjectName> find(String pattern, String jndiName) {
    return beans.names(pattern).stream()
        .filter(
            name ->
                beans
                    .attribute(name, "jndiName", String.class)
                    .filter(jndiName::equals)
                    .isPresent())
        .findFirst();
  }

  /** Its recovery begins with the server and goes round every two minutes. */
  @Override
  Optional<Boolean> recoversAtStart(Function<String, Optional<Object>> bound) {
    return Optional.of(true);
  }

  @Override
  Optional<Duration> longestTransaction(
      TransactionKind kind, Function<String, Optional<Object>> bound) {
    String attribute =
        switch (kind) {
          case OF_CONTAINER -> "defaultTimeout";
          case OF_APPLICATION -> "maximumTimeout";
        };
    return beans.names(TRANSACTIONS).stream()
        .flatMap(name -> beans.attribute(name, attribute, Integer.class).stream())
        .map(Duration::ofSeconds)
        .findFirst();
  }

  /** Its own broker is Artemis, which keeps a persistent message on disk. */
  @Override
  Optional<String> persistentMapping(Object connectionFactory) {
    return connectionFactory.getClass().getName().startsWith("org.apache.activemq.artemis.")
        ? Optional.of(ServerFacts.PERSISTENT)
        : Optional.empty();
  }

  /** That of all addresses that have no setting of their own; less than zero means no limit. */
  @Override
  Optional<Integer> mostDeliveries() {
    return beans.names(ADDRESSES).stream()
        .filter(name -> ALL_ADDRESSES.contains(name.getKeyProperty("address-setting")))
        .flatMap(
            name ->
                beans
                    .attribute(name, "maxDeliveryAttempts", Integer.class, DEFAULT_DELIVERIES)
                    .stream())
        .map(most -> Math.max(0, most))
        .findFirst();
  }

  @Override
  public Endpoints endpoints(
      String application, Set<String> beansOfInbox, Predicate<String> hasHandlerAtWork) {
    return new WildFlyEndpoints(module(), beansOfInbox, hasHandlerAtWork);
  }

  /** The module of the server's that these classes are in, which their class loader tells. */
  private static String module() {
    Matcher quoted = MODULE.matcher(String.valueOf(WildFly.class.getClassLoader()));
    return quoted.find() ? quoted.group(1) : "";
  }
}
