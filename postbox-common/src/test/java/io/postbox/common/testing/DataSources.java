package io.postbox.common.testing;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** Data sources whose connections a test makes. */
public final class DataSources {
  private DataSources() {}

  /**
   * One with which nothing can be done but open connections.
   *
   * @param open makes each of them, or fails
   */
  public static DataSource of(Callable<Connection> open) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSources.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> open.call());
  }
}
