package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.log.ExceptionDetail;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** JNDI look-ups, only by names from the server's configuration. */
public final class Jndi {
  private Jndi() {}

  @SuppressWarnings("BanJNDI") // the names are configuration
  public static Object lookup(String name) throws NamingException {
    return new InitialContext().lookup(name);
  }

  /**
   * The data source of a module's configuration.
   *
   * @param module outbox or inbox, for the message
   * @throws ConfigurationException if there is none of that name
   */
  public static DataSource dataSource(String module, String name) {
    try {
      return (DataSource) lookup(name);
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
