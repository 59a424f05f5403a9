package io.postbox.it.tools;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.microprofile.config.ConfigProvider;

/** Lookups in JNDI. */
public final class Names {
  private Names() {}

  /** The object that is bound to a global JNDI name. */
  public static <T> T lookup(String jndiName, Class<T> type) {
    try {
      return type.cast(new InitialContext().lookup(jndiName));
    } catch (NamingException e) {
      throw new IllegalStateException(jndiName + " is not there", e);
    }
  }

  /** The value of a variable of the server. */
  public static String variable(String name) {
    return ConfigProvider.getConfig().getValue(name, String.class);
  }
}
