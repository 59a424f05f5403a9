package io.postbox.inbox.interceptor;

import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Look-ups by names that the server's own configuration gave, never by anything from outside. */
final class Jndi {
  private Jndi() {}

  @SuppressWarnings("BanJNDI") // the names are configuration
  static Object lookup(String name) throws NamingException {
    return new InitialContext().lookup(name);
  }
}
