package io.postbox.inbox.jms;

import io.postbox.common.config.Backoff;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.WatchLog;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The JMS providers of connection factories and messages. At another broker a queue's name means
 * another queue, or none, so a copy sent there would not return to its queue. Two brokers of one
 * provider look the same. Thread-safe.
 */
public final class Providers {
  /** How many parts of a package name identify a provider, for instance Artemis. */
  private static final int TELLING = 4;

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
  private static final double LONGEST = 1;

  private final Executor outside;
  private final LongSupplier nanos;
  private final Map<String, Class<?>> made = new ConcurrentHashMap<>();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Map<String, Unknown> unknown = new HashMap<>();

  /** A connection factory that gave no session. */
  private record Unknown(int times, long askAt) {}

  /**
   * @param outside runs a task at once, while the calling thread's transaction is suspended
   * @param nanos the time in nanoseconds, from any origin
   */
  public Providers(Executor outside, LongSupplier nanos) {
    this.outside = outside;
    this.nanos = nanos;
  }

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

  /**
   * Has a connection factory asked for its provider, in no transaction: it would enlist a session,
   * which a data source of one phase refuses. After a failure nobody asks for a while, because each
   * attempt to connect may take long; others wait for the one that asks.
   *
   * @param ask calls {@link #learn} unless it fails; throws nothing
   */
  void askOutside(String factory, Runnable ask) {
    if (knows(factory)) {
      return;
    }
    synchronized (unknown) {
      Unknown before = unknown.getOrDefault(factory, new Unknown(0, nanos.getAsLong()));
      if (knows(factory) || before.askAt() - nanos.getAsLong() > 0) {
        return;
      }
      outside.execute(ask);
      int times = before.times() + 1;
      long askAt = nanos.getAsLong() + BACKOFF.after(times, LONGEST).toNanos();
      unknown.put(factory, new Unknown(times, askAt));
    }
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
