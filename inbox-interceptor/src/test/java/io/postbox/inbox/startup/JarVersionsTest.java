package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.server.RequiredFeatures;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarVersionsTest {
  private static final String RESOURCE = "META-INF/postbox/version.properties";

  @TempDir Path lib;

  @Test
  void oneVersionOfAllIsRight() throws Exception {
    try (URLClassLoader jars = jars("inbox-interceptor:1.2.0", "postbox-common:1.2.0")) {
      JarVersions.refuseMixture(jars);
    }
  }

  @Test
  void equalCopiesOfTheCommonJarAreRight() throws Exception {
    try (URLClassLoader ear = jars("inbox-interceptor:1.2.0", "postbox-common:1.2.0");
        URLClassLoader war = below(ear, "postbox-common:1.2.0")) {
      JarVersions.refuseMixture(war);
    }
  }

  @Test
  void differentVersionsAreRefusedWithTheJarsAndTheirVersions() throws Exception {
    try (URLClassLoader jars = jars("inbox-interceptor:1.2.0", "postbox-common:1.1.0")) {
      assertThatThrownBy(() -> JarVersions.refuseMixture(jars))
          .isInstanceOf(DeploymentException.class)
          .hasMessageMatching(
              "The application has jars of Postbox of different versions: inbox-interceptor"
                  + " 1\\.2\\.0 \\(jar:file:.*/inbox-interceptor-1\\.2\\.0\\.jar\\) and"
                  + " postbox-common 1\\.1\\.0 \\(jar:file:.*/postbox-common-1\\.1\\.0\\.jar\\)\\."
                  + " Use the same version of all of them\\.");
    }
  }

  @Test
  void aMissingCommonJarIsNamed() throws Exception {
    try (URLClassLoader jars = jars("inbox-interceptor:1.2.0")) {
      assertThatThrownBy(() -> JarVersions.refuseMixture(jars))
          .isInstanceOf(DeploymentException.class)
          .hasMessageContaining("The application lacks postbox-common.jar")
          .hasMessageContaining("inbox-interceptor 1.2.0");
    }
  }

  @Test
  void whereAllFeaturesOfTheServerAreThereNobodyComplains() {
    RequiredFeatures.OF_INBOX.check(getClass().getClassLoader()); // the tests have their classes
  }

  /** Otherwise one would read of a class that is not found. */
  @Test
  void theServersFirstCallNeedsNoClassOfTheCommonJar() throws Exception {
    try (URLClassLoader alone = new Alone()) {
      Class<?> type = alone.loadClass(InboxExtension.class.getName());
      assertThat(type.getClassLoader()).isSameAs(alone);
      assertThatThrownBy(() -> Class.forName(InboxDeployment.class.getName(), true, alone))
          .isInstanceOf(NoClassDefFoundError.class);
      type.getDeclaredFields(); // as a CDI container does
      Method begin = null;
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("begin")) {
          begin = method;
        }
      }
      Constructor<?> constructor = type.getDeclaredConstructor();
      Object extension = constructor.newInstance();
      assertThat(begin).isNotNull();
      begin.setAccessible(true);
      Method called = begin;
      assertThatThrownBy(() -> called.invoke(extension, (BeforeBeanDiscovery) null))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(DeploymentException.class)
          .hasMessageContaining("The application lacks postbox-common.jar");
    }
  }

  /** The module without the jar that it needs. */
  private static final class Alone extends URLClassLoader {
    Alone() {
      super(
          new URL[] {InboxExtension.class.getProtectionDomain().getCodeSource().getLocation()},
          new ClassLoader(InboxExtension.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
              if (name.startsWith("io.postbox.")) {
                throw new ClassNotFoundException(name);
              }
              return super.loadClass(name, resolve);
            }

            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
              return name.equals(RESOURCE)
                  ? Collections.emptyEnumeration()
                  : super.getResources(name);
            }
          });
    }
  }

  private URLClassLoader jars(String... jars) throws IOException {
    return below(ClassLoader.getPlatformClassLoader(), jars);
  }

  private URLClassLoader below(ClassLoader parent, String... jars) throws IOException {
    List<URL> urls = new ArrayList<>();
    Path folder = Files.createTempDirectory(lib, "lib");
    for (String jar : jars) {
      String[] parts = jar.split(":");
      Path file = folder.resolve(parts[0] + "-" + parts[1] + ".jar");
      try (OutputStream out = Files.newOutputStream(file);
          JarOutputStream entries = new JarOutputStream(out)) {
        entries.putNextEntry(new JarEntry(RESOURCE));
        entries.write("artifact=%s\nversion=%s\n".formatted(parts[0], parts[1]).getBytes());
        entries.closeEntry();
      }
      urls.add(file.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), parent);
  }
}
