package io.postbox.common.platform;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Open Liberty, by the public methods of objects that it binds in JNDI, and by its MBeans. */
final class Liberty extends Platform {
  private static final String TRANSACTIONS = "java:comp/TransactionSynchronizationRegistry";
  private static final String TRANSACTION_SETTINGS =
      "com.ibm.tx.config.ConfigurationProviderManager";
  private static final String POOLS =
      "WebSphere:type=com.ibm.ws.jca.cm.mbean.ConnectionManagerMBean,";
  private static final String APPLICATION =
      "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=";
  private static final Pattern POOL_SIZE = Pattern.compile("(?i)max(?:imum)?PoolSize=(\\d{1,9})");

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  @Override
  boolean isHere() {
    return System.getProperty("wlp.install.dir") != null;
  }

  @Override
  String toDo(ServerSetting setting) {
    return switch (setting) {
      case CONFIGURATION -> "server.xml (<appProperties> or <variable>)";
      case READ_COMMITTED ->
          "set isolationLevel=\"TRANSACTION_READ_COMMITTED\" on the dataSource in server.xml";
      case LARGER_POOL -> "set maxPoolSize on its connectionManager";
      case TWO_PHASES -> "set type=\"javax.sql.XADataSource\" on the dataSource";
      case ONE_PHASE -> "set type=\"javax.sql.ConnectionPoolDataSource\" on the dataSource";
      case TRANSACTIONAL -> "remove transactional=\"false\" from the dataSource in server.xml";
      case RECOVERY -> "set <transaction recoverOnStartup=\"true\"/>";
      case LONGER_TRANSACTIONS -> "raise propogatedOrBMTTranLifetimeTimeout on <transaction>";
      case LONGER_DELIVERIES -> "raise totalTranLifetimeTimeout on <transaction>";
      case DURABLE_MAPPING ->
          "set persistentMapping=\"AssuredPersistent\" on its properties.wasJms";
      case UNLIMITED_DELIVERIES -> "set failedDeliveryPolicy=\"KEEP_TRYING\" on the queue";
      case QUEUE -> "define a jmsQueue with it as its jndiName";
    };
  }

  @Override
  public String toGet(String name) {
    return "add <feature>%s</feature> to the featureManager in server.xml".formatted(name);
  }

  @Override
  Optional<Boolean> isXa(String name, Object dataSource) {
    return ServerObject.ask(dataSource, "isXADataSource", Boolean.class);
  }

  /** From the text in which it shows the pool. */
  @Override
  Optional<Integer> poolSize(String dataSource) {
    String pool =
        dataSource.equals("java:comp/DefaultDataSource")
            ? "name=dataSource[DefaultDataSource]/*"
            : "jndiName=" + dataSource;
    try {
      for (ObjectName name : beans.queryNames(new ObjectName(POOLS + pool + ",*"), null)) {
        String contents =
            String.valueOf(beans.invoke(name, "showPoolContents", new Object[0], new String[0]));
        Matcher size = POOL_SIZE.matcher(contents);
        if (size.find()) {
          return Optional.of(Integer.valueOf(size.group(1)));
        }
      }
      return Optional.empty();
    } catch (JMException | RuntimeException anotherVersion) {
      return Optional.empty();
    }
  }

  /** Only that of its own messaging does. */
  @Override
  Optional<String> persistentMapping(Object connectionFactory) {
    return ServerObject.ask(connectionFactory, "getPersistentMapping", String.class);
  }

  @Override
  Optional<Boolean> recoversAtStart(Function<String, Optional<Object>> bound) {
    return transactionSettings(bound)
        .flatMap(it -> ServerObject.ask(it, "isRecoverOnStartup", Boolean.class));
  }

  @Override
  Optional<Duration> longestTransaction(
      TransactionKind kind, Function<String, Optional<Object>> bound) {
    String method =
        switch (kind) {
          case OF_CONTAINER -> "getTotalTransactionLifetimeTimeout";
          case OF_APPLICATION -> "getMaximumTransactionTimeout";
        };
    return transactionSettings(bound)
        .flatMap(it -> ServerObject.ask(it, method, Integer.class))
        .map(Duration::ofSeconds);
  }

  private static Optional<Object> transactionSettings(Function<String, Optional<Object>> bound) {
    return bound
        .apply(TRANSACTIONS)
        .flatMap(
            registry -> {
              try {
                Class<?> manager =
                    Class.forName(TRANSACTION_SETTINGS, true, registry.getClass().getClassLoader());
                return Optional.ofNullable(
                    manager.getMethod("getConfigurationProvider").invoke(null));
              } catch (ReflectiveOperationException | LinkageError anotherVersion) {
                return Optional.empty();
              }
            });
  }

  @Override
  public boolean hasStarted(String application) {
    try {
      ObjectName name = new ObjectName(APPLICATION + application);
      return !beans.isRegistered(name)
          || "STARTED".equals(String.valueOf(beans.getAttribute(name, "State")));
    } catch (JMException unknown) {
      return true;
    }
  }

  @Override
  public Endpoints endpoints(
      String application, Set<String> beansOfInbox, Predicate<String> hasHandlerAtWork) {
    return new LibertyEndpoints(application, beansOfInbox, hasHandlerAtWork);
  }
}
