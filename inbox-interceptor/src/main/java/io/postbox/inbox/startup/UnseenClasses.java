package io.postbox.inbox.startup;

import jakarta.interceptor.Interceptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Finds classes and interfaces that have an annotation but that CDI does not show to an extension.
 * By default CDI shows only classes with an annotation that makes them beans, and so not a class
 * whose {@code MessageDriven} was imported from {@code javax}. This class reads the class files of
 * the archives that contain other classes of the application, if the server has them as files.
 * Thread-safe.
 */
public final class UnseenClasses {
  private static final String CLASS_FILE = ".class";
  private static final String CLASSES_OF_WAR = "WEB-INF/classes/";

  private final Class<? extends Annotation> annotation;
  private final byte[] mention;
  private final Map<Path, ClassLoader> archives = new ConcurrentHashMap<>();
  private final Map<ClassLoader, Boolean> seesIt = new ConcurrentHashMap<>();

  /**
   * @param annotation the one that is looked for on classes and methods
   */
  public UnseenClasses(Class<? extends Annotation> annotation) {
    this.annotation = annotation;
    mention =
        ("L" + annotation.getName().replace('.', '/') + ";").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Notes the archive of one of the application's classes. */
  public void seen(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    ClassLoader loader = type.getClassLoader();
    if (source == null || source.getLocation() == null || loader == null) {
      return;
    }
    if (!seesIt.computeIfAbsent(loader, this::seesIt)) {
      return;
    }
    try {
      if (source.getLocation().getProtocol().equals("file")) {
        archives.putIfAbsent(Path.of(source.getLocation().toURI()), loader);
      }
    } catch (URISyntaxException | IllegalArgumentException noFile) {
      return; // the server hides it, so it cannot be read
    }
  }

  /** Whether a class belongs to the application, and not to the server or another application. */
  private boolean seesIt(ClassLoader loader) {
    try {
      return Class.forName(annotation.getName(), false, loader) == annotation;
    } catch (ClassNotFoundException | LinkageError another) {
      return false;
    }
  }

  /** The names of those that have the annotation on themselves or on a method. */
  public Set<String> carriers() {
    Set<String> found = new TreeSet<>();
    archives.forEach((archive, loader) -> found.addAll(carriers(archive, loader)));
    return found;
  }

  Set<String> carriers(Path archive, ClassLoader loader) {
    Set<String> found = new TreeSet<>();
    try {
      for (String name : mentioning(archive)) {
        if (carries(name, loader)) {
          found.add(name);
        }
      }
    } catch (IOException unreadable) {
      return found; // report the classes found so far; the application works without this check
    }
    return found;
  }

  private List<String> mentioning(Path archive) throws IOException {
    if (Files.isDirectory(archive)) {
      return mentioningInFolder(archive);
    }
    return Files.isRegularFile(archive) ? mentioningInJar(archive) : List.of();
  }

  private List<String> mentioningInFolder(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(CLASS_FILE)).toList()) {
        if (mentions(Files.readAllBytes(file))) {
          names.add(name(folder.relativize(file).toString().replace('\\', '/')));
        }
      }
    }
    return names;
  }

  private List<String> mentioningInJar(Path jar) throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.getName().endsWith(CLASS_FILE)) {
          try (InputStream content = file.getInputStream(entry)) {
            if (mentions(content.readAllBytes())) {
              names.add(name(entry.getName()));
            }
          }
        }
      }
    }
    return names;
  }

  private static String name(String file) {
    String path = file.startsWith(CLASSES_OF_WAR) ? file.substring(CLASSES_OF_WAR.length()) : file;
    return path.substring(0, path.length() - CLASS_FILE.length()).replace('/', '.');
  }

  private boolean mentions(byte[] classFile) {
    for (int at = 0; at <= classFile.length - mention.length; at++) {
      int same = 0;
      while (same < mention.length && classFile[at + same] == mention[same]) {
        same++;
      }
      if (same == mention.length) {
        return true;
      }
    }
    return false;
  }

  private boolean carries(String name, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      return (type.isInterface() || !Modifier.isAbstract(type.getModifiers())) // as are subclasses
          && !type.isAnnotationPresent(Interceptor.class)
          && (type.isAnnotationPresent(annotation)
              || Stream.of(type.getDeclaredMethods())
                  .anyMatch(method -> method.isAnnotationPresent(annotation)));
    } catch (ClassNotFoundException | LinkageError incomplete) {
      return false; // the class cannot be loaded; code that uses it gets the error
    }
  }
}
