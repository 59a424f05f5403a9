package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds several copies of a module in one application. The copy in the EAR hides one in a WAR; only
 * the class loaders of the WAR's own classes find both.
 */
public final class DuplicateModuleCheck {
  private final String module;
  private final String itself;
  private final String place;
  private final Set<ClassLoader> loaders = ConcurrentHashMap.newKeySet();

  /**
   * @param module outbox or inbox
   * @param own a class of the module
   * @param place where one of them belongs
   */
  public DuplicateModuleCheck(String module, Class<?> own, String place) {
    this.module = module;
    itself = own.getName().replace('.', '/') + ".class";
    this.place = place;
  }

  /** Notes a class of the application. */
  public void seen(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
    }
  }

  /** Refuses the deployment if there are several copies: later errors would not name the cause. */
  public void refuseSeveral(AfterBeanDiscovery event) {
    try {
      refuseSeveral();
    } catch (ConfigurationException refused) {
      event.addDefinitionError(refused);
    }
  }

  private void refuseSeveral() {
    Set<String> jars = new TreeSet<>(); // a set: several loaders find the same jar
    for (ClassLoader loader : loaders) {
      try {
        for (URL copy : Collections.list(loader.getResources(itself))) {
          jars.add(copy.toString().replace("!/" + itself, ""));
        }
      } catch (IOException unreadable) {
        throw new ConfigurationException(
            "The application's jars cannot be read: " + unreadable.getMessage());
      }
    }
    if (jars.size() > 1) {
      throw new ConfigurationException(
          "The application has more than one copy of the %s: %s. Keep one: %s, or WEB-INF/lib of a WAR."
              .formatted(module, String.join(" and ", jars), place));
    }
  }
}
