package io.postbox.inbox.startup;

import io.postbox.common.config.ConfigurationException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The copies of this module that the parts of an application see. A copy in a WAR hides behind the
 * one in the EAR, and only the class loaders of the WAR's own classes find both.
 */
final class DuplicateModuleCheck {
  private static final String ITSELF =
      DuplicateModuleCheck.class.getName().replace('.', '/') + ".class";

  private final Set<ClassLoader> loaders = ConcurrentHashMap.newKeySet();

  /** Notes a class of the application. */
  void seen(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
    }
  }

  /**
   * Looks for more than one copy.
   *
   * @throws ConfigurationException naming the jars, if there are several
   */
  void refuseSeveral() {
    Set<String> jars = new TreeSet<>(); // several loaders, and some more than once, find one jar
    for (ClassLoader loader : loaders) {
      try {
        for (URL copy : Collections.list(loader.getResources(ITSELF))) {
          jars.add(copy.toString().replace("!/" + ITSELF, ""));
        }
      } catch (IOException unreadable) {
        throw new ConfigurationException(
            "The application's jars cannot be read: " + unreadable.getMessage());
      }
    }
    if (jars.size() > 1) {
      throw new ConfigurationException(
          "The application has more than one copy of the inbox: "
              + String.join(" and ", jars)
              + ". Keep one: lib of the EAR, or WEB-INF/lib of a WAR.");
    }
  }
}
