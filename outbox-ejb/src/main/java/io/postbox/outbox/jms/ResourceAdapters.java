package io.postbox.outbox.jms;

import jakarta.jms.ConnectionFactory;
import java.util.Arrays;

/** What the specification of connectors says of an adapter's objects. */
final class ResourceAdapters {
  /** By name, because an application need not see the specification's own classes. */
  private static final String OF_EACH_FACTORY = "jakarta.resource.Referenceable";

  private ResourceAdapters() {}

  /**
   * Whether a connection factory is an adapter's, whose connections the server enlists in its
   * transactions. One that somebody has bound past the server is a client's: within a transaction
   * of the server it commits each send by itself.
   */
  static boolean has(ConnectionFactory factory) {
    return isReferenceable(factory.getClass());
  }

  private static boolean isReferenceable(Class<?> type) {
    Class<?> above = type.getSuperclass();
    return type.getName().equals(OF_EACH_FACTORY)
        || (above != null && isReferenceable(above))
        || Arrays.stream(type.getInterfaces()).anyMatch(ResourceAdapters::isReferenceable);
  }
}
