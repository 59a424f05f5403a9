package io.postbox.common.server;

import io.postbox.common.platform.Platforms;

/**
 * A feature of the server that a module needs. The module looks for one of its classes, so that one
 * sentence can name the feature before another class fails without it.
 *
 * @param name the feature's, as Open Liberty has it
 * @param type one of its classes
 * @param use the module's use of it, as a relative clause
 */
public record ServerFeature(String name, String type, String use) {

  /** Whether the server has it, as far as a class loader can see. */
  public boolean isPresent(ClassLoader loader) {
    return isPresent(type, loader);
  }

  /** Whether a class loader finds a class. */
  static boolean isPresent(String type, ClassLoader loader) {
    try {
      Class.forName(type, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false; // which is the answer
    }
  }

  /** The remedy where it is missing. */
  public String sentence() {
    return "The server lacks the feature %s, %s: %s."
        .formatted(name, use, Platforms.here().toGet(name));
  }
}
