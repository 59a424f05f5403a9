package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.WatchLog;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JMS providers of connection factories and messages. At another broker a queue's name means
 * another queue, or none, so a copy sent there would not return to its queue. Two brokers of one
 * provider look the same. Thread-safe.
 */
public final class Providers {
  /** How many parts of a package name identify a provider, for instance Artemis. */
  private static final int TELLING = 4;

  private final Map<String, Class<?>> made = new ConcurrentHashMap<>();
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /** Whether two classes belong to different providers. */
  public static boolean differ(Class<?> one, Class<?> other) {
    return one.getClassLoader() != other.getClassLoader()
        && alike(one.getPackageName().split("\\."), other.getPackageName().split("\\.")) < TELLING;
  }

  private static int alike(String[] one, String[] other) {
    int alike = 0;
    while (alike < Math.min(one.length, other.length) && one[alike].equals(other[alike])) {
      alike++;
    }
    return alike;
  }

  /** Whether a message is known to come from another provider than a connection factory's. */
  boolean isForeign(String factory, Message received) {
    Class<?> own = made.get(factory);
    return own != null && differ(own, received.getClass());
  }

  /** Whether the provider of a connection factory is known. */
  boolean knows(String factory) {
    return made.containsKey(factory);
  }

  /**
   * Notes the provider of a connection factory.
   *
   * @param session a session of the factory
   */
  void learn(String factory, Session session) throws JMSException {
    if (!knows(factory)) {
      made.put(factory, session.createMessage().getClass());
    }
  }

  /** Whether a message is known to be foreign, which is logged the first time. */
  boolean isForeignAndTold(String consumer, String factory, Message received) {
    boolean isForeign = isForeign(factory, received);
    if (isForeign && told.add(consumer + " " + factory)) {
      WatchLog.anotherProvider(
          consumer, factory, String.valueOf(made.get(factory)), received.getClass().toString());
    }
    return isForeign;
  }

  /**
   * Throws instead of sending a message to another provider's broker, and logs that the first time.
   *
   * @param session a session of the factory
   * @throws InboxException if it comes from another provider
   */
  void requireOwn(String consumer, String factory, Message received, Session session)
      throws JMSException {
    learn(factory, session);
    if (isForeignAndTold(consumer, factory, received)) {
      throw new InboxException(
          "the message comes from another JMS provider than that of the connection factory "
              + factory
              + " (IBX0141)",
          null);
    }
  }
}
