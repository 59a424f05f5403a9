package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.interceptor.Interceptor;
import jakarta.jms.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnseenClassesTest {
  private static final ClassLoader LOADER = UnseenClassesTest.class.getClassLoader();
  private static final Class<?>[] ALL = {
    OnClass.class,
    OnMethod.class,
    Bean.class,
    Mentions.class,
    OfAbstract.class,
    Ours.class,
    OnInterface.class
  };

  @TempDir Path folder;

  @Test
  void theClassesOfAJarThatCarryTheAnnotationAreFound() throws IOException {
    assertFound(jar("classes.jar", ""));
  }

  @Test
  void thoseOfAWarToo() throws IOException {
    assertFound(jar("application.war", "WEB-INF/classes/"));
  }

  @Test
  void andThoseOfAFolder() throws IOException {
    Path classes = folder.resolve("classes");
    for (Class<?> type : ALL) {
      Path file = classes.resolve(file(type));
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, content(type));
    }
    Files.writeString(classes.resolve("notes.txt"), "Lio/postbox/inbox/Inbox;");

    assertFound(classes);
  }

  @Test
  void aMissingOrBrokenArchiveHasNone() throws IOException {
    assertThat(new UnseenClasses(Inbox.class).carriers(folder.resolve("nowhere.jar"), LOADER))
        .isEmpty();
    Path garbage = folder.resolve("garbage.jar");
    Files.writeString(garbage, "Lio/postbox/inbox/Inbox;");
    assertThat(new UnseenClasses(Inbox.class).carriers(garbage, LOADER)).isEmpty();
  }

  @Test
  void anArchiveIsLookedAtFromWhichThereIsAClassThatSeesTheInbox() {
    UnseenClasses unseen = new UnseenClasses(Inbox.class);
    unseen.seen(String.class);
    assertThat(unseen.carriers()).isEmpty();

    unseen.seen(UnseenClassesTest.class);

    assertThat(unseen.carriers()).contains(OnClass.class.getName(), OnMethod.class.getName());
  }

  @Test
  void aClassLoaderIsAskedOnceHoweverManyOfItsClassesAreSeen() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    URL own = OnClass.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {own}, null) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(UnseenClassesTest.class.getName())) {
              return super.findClass(name);
            }
            if (name.equals(Inbox.class.getName())) {
              asked.incrementAndGet();
            }
            throw new ClassNotFoundException(name);
          }
        }) {
      UnseenClasses unseen = new UnseenClasses(Inbox.class);
      for (String name : List.of("Mentions", "Ours", "OnClass")) {
        unseen.seen(Class.forName(UnseenClassesTest.class.getName() + "$" + name, false, loader));
      }

      assertThat(asked).hasValue(1);
      assertThat(unseen.carriers()).isEmpty();
    }
  }

  private static void assertFound(Path archive) {
    Set<String> found = new UnseenClasses(Inbox.class).carriers(archive, LOADER);

    assertThat(found)
        .containsExactlyInAnyOrder(
            OnClass.class.getName(),
            OnMethod.class.getName(),
            Bean.class.getName(),
            OnInterface.class.getName());
  }

  private Path jar(String name, String prefix) throws IOException {
    Path jar = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Class<?> type : ALL) {
        out.putNextEntry(new JarEntry(prefix + file(type)));
        out.write(content(type));
        out.closeEntry();
      }
    }
    return jar;
  }

  private static String file(Class<?> type) {
    return type.getName().replace('.', '/') + ".class";
  }

  private static byte[] content(Class<?> type) throws IOException {
    try (InputStream content = LOADER.getResourceAsStream(file(type))) {
      return Objects.requireNonNull(content).readAllBytes();
    }
  }

  @Inbox("on-class")
  static class OnClass {
    public void onMessage(Message message) {}
  }

  static class OnMethod {
    @Inbox("on-method")
    public void onMessage(Message message) {}
  }

  @Inbox("bean")
  @MessageDriven
  static class Bean {
    public void onMessage(Message message) {}
  }

  static class Mentions {
    Inbox of(Class<?> type) {
      return type.getAnnotation(Inbox.class);
    }
  }

  abstract static class OfAbstract {
    @Inbox("abstract")
    public void onMessage(Message message) {}
  }

  interface OnInterface {
    @Inbox("interface")
    void onMessage(Message message);
  }

  @Inbox("")
  @Interceptor
  static class Ours {}
}
