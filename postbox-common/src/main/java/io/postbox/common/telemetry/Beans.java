package io.postbox.common.telemetry;

/** The beans with which a server provides its APIs. */
public interface Beans {
  /** Whether there is one bean of a type that can be used. */
  boolean has(Class<?> type);

  /**
   * The bean of a type.
   *
   * @throws RuntimeException the container's, if there is none, or more than one
   */
  <T> T get(Class<T> type);
}
