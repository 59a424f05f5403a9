package io.postbox.common.server;

import io.postbox.common.text.Storable;
import java.lang.management.ManagementFactory;
import java.util.UUID;

/** Names for processes, up to 100 characters. */
public final class ProcessName {
  private static final int LONGEST_NAME = 63;
  private static final String THIS_ONE = newName();

  private ProcessName() {}

  /**
   * A name with process number and host, so that an operator finds its log, and with a random part,
   * so that a later process with the same number has another name. Both modules of an application
   * have one name, for they are one node; another start of the application has another one, because
   * it loads its classes anew.
   */
  public static String nameOfThisOne() {
    return THIS_ONE;
  }

  private static String newName() {
    String name = Storable.line(ManagementFactory.getRuntimeMXBean().getName(), LONGEST_NAME);
    return name + " " + UUID.randomUUID();
  }

  /** The host in such a name. */
  static String host(String name) {
    return name.substring(name.indexOf('@') + 1, name.lastIndexOf(' '));
  }
}
