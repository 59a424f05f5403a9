package io.postbox.common.server;

import io.postbox.common.check.ServerFacts;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's settings. No standard offers them, so this uses the public methods of objects
 * that Open Liberty binds in JNDI, and its MBeans; an application cannot see their types. On
 * another server, or a later version, a setting may stay unknown, and the guarantee check says
 * nothing about it.
 */
public final class ServerObjects {
  private static final String TRANSACTIONS = "java:comp/TransactionSynchronizationRegistry";
  private static final String TRANSACTION_SETTINGS =
      "com.ibm.tx.config.ConfigurationProviderManager";
  private static final String POOLS =
      "WebSphere:type=com.ibm.ws.jca.cm.mbean.ConnectionManagerMBean,";
  private static final Pattern POOL_SIZE = Pattern.compile("(?i)max(?:imum)?PoolSize=(\\d{1,9})");

  private ServerObjects() {}

  /**
   * What the guarantee check asks for.
   *
   * @param dataSource the module's, by its JNDI name
   * @param connectionFactory the module's, by its JNDI name
   * @param limit the method that gives the limit, in seconds, of the module's transactions
   */
  public static ServerFacts facts(String dataSource, String connectionFactory, String limit) {
    Optional<Object> transactions = transactionSettings();
    return new ServerFacts(
        bound(dataSource).flatMap(it -> ask(it, "isXADataSource", Boolean.class)),
        poolSize(dataSource),
        bound(connectionFactory).flatMap(it -> ask(it, "getPersistentMapping", String.class)),
        transactions.flatMap(it -> ask(it, "isRecoverOnStartup", Boolean.class)),
        transactions.flatMap(it -> ask(it, limit, Integer.class)).map(Duration::ofSeconds));
  }

  /**
   * Whether the resource adapter of a connection factory is Artemis's and acknowledges messages
   * before they are handled, including those that it delivers to message-driven beans.
   */
  public static boolean acknowledgesEarly(Collection<String> connectionFactories) {
    return connectionFactories.stream()
        .flatMap(name -> bound(name).stream())
        .flatMap(factory -> ask(factory, "getResourceAdapter", Object.class).stream())
        .flatMap(adapter -> ask(adapter, "getPreAcknowledge", Boolean.class).stream())
        .anyMatch(early -> early);
  }

  /** The object that has a JNDI name. */
  public static Optional<Object> bound(String name) {
    try {
      return Optional.ofNullable(Jndi.lookup(name));
    } catch (NamingException | RuntimeException notUsable) {
      return Optional.empty(); // the caller that needs it reports it
    }
  }

  /** The settings of the transaction manager. */
  private static Optional<Object> transactionSettings() {
    return bound(TRANSACTIONS)
        .flatMap(
            registry -> {
              try {
                Class<?> manager =
                    Class.forName(TRANSACTION_SETTINGS, true, registry.getClass().getClassLoader());
                return Optional.ofNullable(
                    manager.getMethod("getConfigurationProvider").invoke(null));
              } catch (ReflectiveOperationException | LinkageError anotherServer) {
                return Optional.empty();
              }
            });
  }

  /** The answer of a method without parameters, if there is one of that type. */
  public static <T> Optional<T> ask(Object target, String method, Class<T> type) {
    try {
      @Nullable Object answer = target.getClass().getMethod(method).invoke(target);
      return type.isInstance(answer) ? Optional.of(type.cast(answer)) : Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException anotherServer) {
      return Optional.empty();
    }
  }

  /** The maximum size of a data source's pool, from the text in which Liberty shows it. */
  private static Optional<Integer> poolSize(String dataSource) {
    String pool =
        dataSource.equals("java:comp/DefaultDataSource")
            ? "name=dataSource[DefaultDataSource]/*"
            : "jndiName=" + dataSource;
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
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
    } catch (JMException | RuntimeException anotherServer) {
      return Optional.empty();
    }
  }
}
