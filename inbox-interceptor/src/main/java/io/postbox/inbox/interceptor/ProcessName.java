package io.postbox.inbox.interceptor;

import io.postbox.common.text.Storable;
import java.lang.management.ManagementFactory;
import java.util.UUID;

/** Names for processes. */
final class ProcessName {
  private static final int LONGEST_NAME = 63;

  private ProcessName() {}

  /**
   * Its number and host, so that an operator finds its log, and something that the next start on
   * that host with that number has not. Each call has another name.
   */
  static String nameOfThisOne() {
    String name = Storable.line(ManagementFactory.getRuntimeMXBean().getName(), LONGEST_NAME);
    return name + " " + UUID.randomUUID();
  }
}
