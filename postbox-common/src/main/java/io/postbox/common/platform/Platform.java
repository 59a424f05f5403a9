package io.postbox.common.platform;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The application server, as far as it goes its own ways: what it tells of its settings, what it
 * lets an application do beyond the standards, and the words in which its settings are made. A fact
 * that a server does not reveal is unknown, and the guarantee check says nothing about it.
 * Thread-safe.
 */
public abstract class Platform {
  Platform() {}

  /** Whether it is the one in whose JVM this runs, as it tells by a system property. */
  abstract boolean isHere();

  /** How a setting is made: a part of a sentence, in the imperative. */
  abstract String toDo(ServerSetting setting);

  /**
   * How to get a part of the server: a part of a sentence, in the imperative.
   *
   * @param name as Open Liberty has it, with the version
   */
  public abstract String toGet(String name);

  /**
   * Where else an object is bound that the standards bind for a component, so that a thread without
   * one finds it too.
   *
   * @param name the standards', such as {@code java:comp/DefaultDataSource}
   */
  public Optional<String> globalName(String name) {
    return Optional.empty();
  }

  /**
   * Where a data source may be bound once more, so that its connections are part of the thread's
   * transaction until that is over, whichever component is at work: while a transaction completes,
   * none may be.
   *
   * @param name as configured
   */
  public Optional<String> wholeTransaction(String name) {
    return Optional.empty();
  }

  /** Whether it can be asked for its settings yet. */
  public boolean tellsSettings() {
    return true;
  }

  /**
   * What the guarantee check asks for.
   *
   * @param dataSource the module's, by its JNDI name
   * @param connectionFactory the module's, by its JNDI name
   * @param kind of the module's transactions
   * @param bound the object that has a JNDI name, if there is one
   */
  public final ServerFacts facts(
      String dataSource,
      String connectionFactory,
      TransactionKind kind,
      Function<String, Optional<Object>> bound) {
    String global = globalName(dataSource).orElse(dataSource);
    return new ServerFacts(
        bound.apply(dataSource).flatMap(it -> isXa(global, it)),
        poolSize(global),
        bound.apply(connectionFactory).flatMap(this::persistentMapping),
        recoversAtStart(bound),
        longestTransaction(kind, bound),
        mostDeliveries(),
        dataSourcesOutside());
  }

  /** Whether a data source takes part in two-phase commits. */
  Optional<Boolean> isXa(String name, Object dataSource) {
    return Optional.empty();
  }

  /** How many connections a data source's pool may have; zero means no limit. */
  Optional<Integer> poolSize(String dataSource) {
    return Optional.empty();
  }

  /** How a connection factory maps persistent messages. */
  Optional<String> persistentMapping(Object connectionFactory) {
    return Optional.empty();
  }

  /** Whether transactions that a crash left in doubt are finished at start. */
  Optional<Boolean> recoversAtStart(Function<String, Optional<Object>> bound) {
    return Optional.empty();
  }

  /** How long transactions of a kind may last; zero means no limit. */
  Optional<Duration> longestTransaction(
      TransactionKind kind, Function<String, Optional<Object>> bound) {
    return Optional.empty();
  }

  /** How often the server's own broker delivers a failing message; zero means no limit. */
  Optional<Integer> mostDeliveries() {
    return Optional.empty();
  }

  /**
   * The names by which the application's persistence units know their data sources, where what a
   * unit writes while its transaction completes is not part of that.
   */
  Set<String> dataSourcesOutside() {
    return Set.of();
  }

  /**
   * Whether an application has started: its modules are bound to their names, and its singletons
   * run. CDI's Startup event comes before that. True on a server that does not say so.
   *
   * @param application its name in the server
   */
  public boolean hasStarted(String application) {
    return true;
  }

  /**
   * Whether threads that have the same context share the connections that they have open, with the
   * component from which it was captured too: a transaction that begins on one takes those of the
   * others into it. Then nothing of the modules' may have a component's context, or another
   * thread's.
   */
  public boolean contextsShareConnections() {
    return false;
  }

  /**
   * The message endpoints of an application, which a server may let it pause and resume; none on a
   * server that does not.
   *
   * @param application its name in the server
   * @param beans the names of its message-driven beans whose deliveries pass the inbox
   * @param hasHandlerAtWork whether a handler may be running for one of them
   */
  public Endpoints endpoints(
      String application, Set<String> beans, Predicate<String> hasHandlerAtWork) {
    return Endpoints.NONE;
  }
}
