package io.postbox.outbox.server;

import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * Detects Postbox jars of different versions in one application. A resource of each jar names its
 * version, so that the versions are compared before a class of one jar needs a class of another. So
 * this class needs no class of another jar, and exists in both modules.
 */
final class JarVersions {
  private static final String RESOURCE = "META-INF/postbox/version.properties";
  private static final String COMMON = "postbox-common";

  private JarVersions() {}

  /**
   * Checks the jars that a class loader sees.
   *
   * @throws DeploymentException naming them, if they are of different versions, or the jar that the
   *     others need is missing
   */
  static void refuseMixture(ClassLoader loader) {
    Set<String> artifacts = new HashSet<>();
    Set<String> versions = new HashSet<>();
    Set<String> jars = new TreeSet<>();
    try {
      for (URL found : Collections.list(loader.getResources(RESOURCE))) {
        Properties jar = read(found);
        artifacts.add(jar.getProperty("artifact"));
        versions.add(jar.getProperty("version"));
        jars.add(
            "%s %s (%s)"
                .formatted(
                    jar.getProperty("artifact"),
                    jar.getProperty("version"),
                    found.toString().replace("!/" + RESOURCE, "")));
      }
    } catch (IOException unreadable) {
      throw new DeploymentException("The application's jars cannot be read.", unreadable);
    }
    String list = String.join(" and ", jars);
    if (versions.size() > 1) {
      throw new DeploymentException(
          "The application has jars of Postbox of different versions: %s. Use the same version of all of them."
              .formatted(list));
    }
    if (!artifacts.contains(COMMON)) {
      throw new DeploymentException(
          "The application lacks %1$s.jar, without which nothing of Postbox works: %2$s needs it. Put it, in the same version, into lib/ of the EAR or WEB-INF/lib of the WAR."
              .formatted(COMMON, list));
    }
  }

  private static Properties read(URL found) throws IOException {
    Properties jar = new Properties();
    URLConnection connection = found.openConnection();
    connection.setUseCaches(false); // a cache would keep the jar open after the stop
    try (InputStream in = connection.getInputStream()) {
      jar.load(in);
    }
    return jar;
  }
}
