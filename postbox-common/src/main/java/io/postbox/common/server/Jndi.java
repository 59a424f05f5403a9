package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.platform.Platforms;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** JNDI look-ups, only by names from the server's configuration. */
public final class Jndi {
  private Jndi() {}

  /**
   * The object of a name, or of the server's own name for the same. A server binds {@code
   * java:comp} for the threads of components, and not every thread on which a module starts is one.
   *
   * @throws NamingException if there is neither
   */
  @SuppressWarnings("BanJNDI") // the names are configuration, or the platform's
  public static Object lookup(String name) throws NamingException {
    InitialContext context = new InitialContext();
    try {
      return context.lookup(name);
    } catch (NamingException noComponent) {
      String global = Platforms.here().globalName(name).orElseThrow(() -> noComponent);
      return context.lookup(global);
    }
  }

  /**
   * The data source of a module's configuration.
   *
   * @param module outbox or inbox, for the message
   * @throws ConfigurationException if there is none of that name
   */
  public static DataSource dataSource(String module, String name) {
    try {
      Optional<Object> whole =
          Platforms.here().wholeTransaction(name).flatMap(ServerObjects::bound);
      return (DataSource) (whole.isPresent() ? whole.get() : lookup(name));
    } catch (NamingException | ClassCastException missing) {
      throw new ConfigurationException(
          "postbox.%s.data-source=%s leads to no data source (%s). Name the data source of the application's own tables, by its global JNDI name."
              .formatted(module, name, new ExceptionDetail().chain(missing)));
    }
  }

  /**
   * The application's name, which is the default of {@code postbox.service}.
   *
   * @throws ConfigurationException if the server has no name for it
   */
  public static String applicationName() {
    try {
      return (String) lookup("java:app/AppName");
    } catch (NamingException missing) {
      throw new ConfigurationException(
          "The server gives no application name (%s), so set postbox.service."
              .formatted(missing.getMessage()));
    }
  }

  /** The names in a context and the types of the objects bound to them; looks up none of these. */
  @SuppressWarnings("BanJNDI") // the names are configuration
  public static NamingEnumeration<NameClassPair> list(String context) throws NamingException {
    return new InitialContext().list(context);
  }
}
