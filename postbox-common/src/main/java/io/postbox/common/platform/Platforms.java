package io.postbox.common.platform;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The servers that are known. Thread-safe. */
public final class Platforms {
  private static final Platform HERE =
      List.<Platform>of(new Liberty(), new WildFly(), new Payara()).stream()
          .filter(Platform::isHere)
          .findFirst()
          .orElseGet(OtherServer::new);

  /** What the classes of all servers' names begin with, so that no signature depends on which. */
  private static final List<String> PACKAGES =
      List.of(
          "com.ibm.",
          "io.openliberty.",
          "org.jboss.",
          "org.wildfly.",
          "io.undertow.",
          "org.glassfish.",
          "fish.payara.");

  /** What servers call somebody who is not logged in, in lower case. */
  private static final Set<String> NOBODY = Set.of("unauthenticated", "anonymous");

  /** Thrown by servers' pools of connections when all are in use. */
  private static final Set<String> POOL_TIMEOUTS = Set.of("ConnectionWaitTimeoutException");

  /** In the messages of WildFly's and Payara's, whose types they share with other failures. */
  private static final List<String> POOL_TIMEOUT_TEXTS =
      List.of("IJ000655", "In-use connections equal max-pool-size");

  private Platforms() {}

  /** The server in whose JVM this runs, as it tells by system properties at its start. */
  public static Platform here() {
    return HERE;
  }

  /** Whether a class is a server's own. */
  public static boolean isServers(String className) {
    return PACKAGES.stream().anyMatch(className::startsWith);
  }

  /** Whether a principal's name stands for nobody. */
  public static boolean isNobody(String principal) {
    return NOBODY.contains(principal.toLowerCase(Locale.ROOT));
  }

  /** Whether an exception, without its causes, says that a pool's connections are all in use. */
  public static boolean isPoolTimeout(Throwable thrown) {
    return POOL_TIMEOUTS.contains(thrown.getClass().getSimpleName())
        || POOL_TIMEOUT_TEXTS.stream().anyMatch(String.valueOf(thrown.getMessage())::contains);
  }
}
