package io.postbox.testkit.server;

import io.postbox.testkit.disk.Folders;
import io.postbox.testkit.injected.InjectedFaults;
import io.postbox.testkit.injected.SendLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules in a server. They are given to it at its start and sleep until they are armed, so that
 * a start and the recovery in it can be left alone. One is always there, awake, and only watches:
 * it writes down what is sent.
 */
public final class Rules {
  private static final String TRANSPORT = "io.postbox.outbox.jms.JmsTransport";

  private final Path byteman;
  private final Path folder;
  private final Path sent;
  private boolean notesTries;
  private List<Rule> loaded = List.of();
  private boolean leftOut;

  /**
   * @param byteman its jar
   * @param folder for the script, and the files by which server and test tell each other
   * @param notesTries whether what is about to be sent is noted too, because otherwise a kill
   *     between the broker's commit and the note leaves none of what is never sent again
   */
  public Rules(Path byteman, Path folder, boolean notesTries) {
    this.byteman = byteman;
    this.notesTries = notesTries;
    this.folder = folder;
    sent = folder.resolveSibling("sent.log");
    load(List.of());
  }

  /** Where the server notes what is sent; there from the first message on. */
  public Path sent() {
    return sent;
  }

  /** Loads rules into the next start; they stay inactive until they are armed. */
  public void load(List<Rule> rules) {
    try {
      Folders.deleteAll(folder);
      Files.createDirectories(folder.resolve("armed"));
      Files.createDirectories(folder.resolve("hit"));
      Files.writeString(
          script(),
          Stream.concat(
                  watchSending(),
                  rules.stream().map(rule -> rule.script(armed(rule.part()), hit(rule.part()))))
              .collect(Collectors.joining("\n")));
      packHelpers();
      loaded = List.copyOf(rules);
    } catch (IOException e) {
      throw new UncheckedIOException("The rules cannot be written to " + folder, e);
    }
  }

  /** From the next start on what is about to be sent is noted too. */
  public void noteTries() {
    notesTries = true;
    load(loaded);
  }

  /** The class that rules call in the server. */
  private void packHelpers() throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(helper()))) {
      for (Class<?> type : List.of(SendLog.class, InjectedFaults.class)) {
        String name = type.getName().replace('.', '/') + ".class";
        try (InputStream bytes =
            Objects.requireNonNull(type.getClassLoader().getResourceAsStream(name), name)) {
          jar.putNextEntry(new JarEntry(name));
          bytes.transferTo(jar);
        }
      }
    }
  }

  /**
   * From the next start on there is nothing of them in the server, and what is sent is not noted.
   * For Byteman keeps whatever its rules have touched, class loader and all.
   */
  public void leaveOut() {
    leftOut = true;
  }

  /** The options of a server that has the rules in it. */
  List<String> options() {
    if (leftOut) {
      return List.of();
    }
    // The boot class path is the one that each of the server's class loaders asks.
    return List.of(
        "-D%s=%s".formatted(SendLog.FILE, sent),
        "-Dorg.jboss.byteman.transform.all=true", // the JDK's classes too
        "-javaagent:%s=script:%s,boot:%s,boot:%s".formatted(byteman, script(), byteman, helper()));
  }

  /** Gives a part effect. */
  public void arm(String part) {
    arm(part, "");
  }

  /**
   * Gives a part effect.
   *
   * @param detail for the rules of that part, which read it from the file {@code armed}
   */
  public void arm(String part, String detail) {
    if (loaded.stream().noneMatch(rule -> rule.part().equals(part))) {
      throw new IllegalArgumentException("The server has no rule '" + part + "' in it: " + loaded);
    }
    try {
      Files.deleteIfExists(hit(part));
      Path written = Files.writeString(folder.resolve("detail"), detail);
      Files.move(written, armed(part), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("'" + part + "' cannot be armed in " + folder, e);
    }
  }

  public void disarm(String part) {
    try {
      Files.delete(armed(part));
      Files.deleteIfExists(hit(part));
    } catch (IOException e) {
      throw new UncheckedIOException("'" + part + "' cannot be disarmed in " + folder, e);
    }
  }

  /** Whether a part has had an effect. */
  public boolean wasHit(String part) {
    return Files.exists(hit(part));
  }

  private Stream<String> watchSending() {
    Stream<String> always =
        Stream.of(
            watch("a batch", "sendAll", "AT ENTRY", "begins()"),
            watch("a message", "sendAll", "AFTER INVOKE send", "given($stored)"),
            watch("a commit", "commit", "AT EXIT", "committed()"));
    return notesTries
        ? Stream.concat(always, Stream.of(watch("a try", "commit", "AT ENTRY", "tries()")))
        : always;
  }

  private static String watch(String what, String method, String where, String action) {
    return """
    RULE watch %s
    CLASS %s
    METHOD %s
    HELPER %s
    %s
    IF TRUE
    DO %s
    ENDRULE
    """
        .formatted(what, TRANSPORT, method, SendLog.class.getName(), where, action);
  }

  private Path script() {
    return folder.resolve("rules.btm");
  }

  private Path helper() {
    return folder.resolve("helpers.jar");
  }

  private Path armed(String part) {
    return folder.resolve("armed").resolve(part);
  }

  private Path hit(String part) {
    return folder.resolve("hit").resolve(part);
  }
}
