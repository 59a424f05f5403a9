package io.postbox.common.platform;

/** A setting that every server has, under a name and in a place of its own. */
public enum ServerSetting {
  /** Where a key of the configuration is set: after "change it in". */
  CONFIGURATION,
  /** A data source's isolation level READ COMMITTED. */
  READ_COMMITTED,
  /** More connections in a data source's pool. */
  LARGER_POOL,
  /** A data source that takes part in two-phase commits. */
  TWO_PHASES,
  /** A data source that does not. */
  ONE_PHASE,
  /** A data source that takes part in transactions at all. */
  TRANSACTIONAL,
  /** The end of transactions in doubt when the server starts. */
  RECOVERY,
  /** More time for transactions of the application's own. */
  LONGER_TRANSACTIONS,
  /** More time for the container's transactions. */
  LONGER_DELIVERIES,
  /** Persistent messages that stay persistent. */
  DURABLE_MAPPING,
  /** A broker that delivers a failing message as often as it takes. */
  UNLIMITED_DELIVERIES,
  /** A queue with a JNDI name that a sentence has named. */
  QUEUE;

  /**
   * How it is made on the server in whose JVM this runs: a part of a sentence, in the imperative.
   */
  public String toDo() {
    return Platforms.here().toDo(this);
  }

  /** The same at the beginning of a sentence. */
  public String beginning() {
    String toDo = toDo();
    return Character.toUpperCase(toDo.charAt(0)) + toDo.substring(1);
  }

  /** The same as a sentence. */
  public String sentence() {
    return beginning() + ".";
  }
}
