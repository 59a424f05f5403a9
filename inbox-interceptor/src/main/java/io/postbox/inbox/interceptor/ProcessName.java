package io.postbox.inbox.interceptor;

import io.postbox.common.text.Storable;
import java.lang.management.ManagementFactory;
import java.util.UUID;

/** Names for processes. */
final class ProcessName {
  private static final int LONGEST_NAME = 63;

  private ProcessName() {}

  /**
   * Its number and host, so that an operator finds its log, and a random part that distinguishes it
   * from a later start with the same number. Each call returns another name.
   */
  static String nameOfThisOne() {
    String name = Storable.line(ManagementFactory.getRuntimeMXBean().getName(), LONGEST_NAME);
    return name + " " + UUID.randomUUID();
  }
}
