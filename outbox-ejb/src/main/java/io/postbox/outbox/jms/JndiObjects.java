package io.postbox.outbox.jms;

import io.postbox.outbox.jms.JmsTransport.NamingLookup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.NamingException;

/**
 * Looks JNDI objects up once and keeps them until they are to be forgotten. A name that leads
 * nowhere is looked up each time, so that a later definition is found. Thread-safe.
 */
final class JndiObjects {
  private final NamingLookup names;
  private final Map<String, Object> found = new ConcurrentHashMap<>();

  JndiObjects(NamingLookup names) {
    this.names = names;
  }

  /**
   * The object of a name.
   *
   * @throws NamingException if there is none of that name and type
   */
  <T> T find(String jndiName, Class<T> type) throws NamingException {
    Object known = found.get(jndiName);
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    Object looked = names.lookup(jndiName);
    if (!type.isInstance(looked)) {
      throw new NamingException(jndiName + " is not a " + type.getName());
    }
    found.put(jndiName, looked);
    return type.cast(looked);
  }

  /** Has all of them looked up again: one of them may have been defined anew. */
  void forget() {
    found.clear();
  }
}
