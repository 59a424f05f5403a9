package io.postbox.common.server;

import io.postbox.common.platform.Platforms;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.ServerObject;
import io.postbox.common.platform.TransactionKind;
import java.util.Collection;
import java.util.Optional;
import javax.naming.NamingException;

/** Objects that have a name in the server's JNDI. */
public final class ServerObjects {
  private ServerObjects() {}

  /**
   * What the guarantee check asks for.
   *
   * @param dataSource the module's, by its JNDI name
   * @param connectionFactory the module's, by its JNDI name
   * @param kind of the module's transactions
   */
  public static ServerFacts facts(
      String dataSource, String connectionFactory, TransactionKind kind) {
    return Platforms.here().facts(dataSource, connectionFactory, kind, ServerObjects::bound);
  }

  /**
   * Whether the resource adapter of a connection factory is Artemis's and acknowledges messages
   * before they are handled, including those that it delivers to message-driven beans.
   */
  public static boolean acknowledgesEarly(Collection<String> connectionFactories) {
    return connectionFactories.stream()
        .flatMap(name -> bound(name).stream())
        .flatMap(factory -> ServerObject.ask(factory, "getResourceAdapter", Object.class).stream())
        .flatMap(adapter -> ServerObject.ask(adapter, "getPreAcknowledge", Boolean.class).stream())
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
}
