package io.postbox.common.server;

import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;

/** Look-ups by names that the server's own configuration gave, never by anything from outside. */
public final class Jndi {
  private Jndi() {}

  @SuppressWarnings("BanJNDI") // the names are configuration
  public static Object lookup(String name) throws NamingException {
    return new InitialContext().lookup(name);
  }

  /** The names in a context and the types of what they lead to, none of which is looked up. */
  @SuppressWarnings("BanJNDI") // the names are configuration
  public static NamingEnumeration<NameClassPair> list(String context) throws NamingException {
    return new InitialContext().list(context);
  }
}
