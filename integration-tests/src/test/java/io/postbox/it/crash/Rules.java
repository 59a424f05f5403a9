package io.postbox.it.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rules in a server. They are given to it at its start and sleep until they are armed, so that
 * a start and the recovery in it can be left alone.
 */
final class Rules {
  private final Path byteman;
  private final Path folder;
  private List<Rule> loaded = List.of();

  /**
   * @param byteman its jar
   * @param folder for the script, and the files by which server and test tell each other
   */
  Rules(Path byteman, Path folder) {
    this.byteman = byteman;
    this.folder = folder;
  }

  /** What the next start has in it, asleep. */
  void load(List<Rule> rules) {
    try {
      ServerFolder.deleteAll(folder);
      Files.createDirectories(folder.resolve("armed"));
      Files.createDirectories(folder.resolve("hit"));
      Files.writeString(
          script(),
          rules.stream()
              .map(rule -> rule.script(armed(rule.part()), hit(rule.part())))
              .collect(Collectors.joining("\n")));
      loaded = List.copyOf(rules);
    } catch (IOException e) {
      throw new UncheckedIOException("The rules cannot be written to " + folder, e);
    }
  }

  /** The options of a server that has the rules in it. */
  List<String> options() {
    // The boot class path is the one that each of the server's class loaders asks.
    return loaded.isEmpty()
        ? List.of()
        : List.of("-javaagent:%s=script:%s,boot:%s".formatted(byteman, script(), byteman));
  }

  /** Gives a part effect. */
  void arm(String part) {
    if (loaded.stream().noneMatch(rule -> rule.part().equals(part))) {
      throw new IllegalArgumentException("The server has no rule '" + part + "' in it: " + loaded);
    }
    try {
      Files.createFile(armed(part));
    } catch (IOException e) {
      throw new UncheckedIOException("'" + part + "' cannot be armed in " + folder, e);
    }
  }

  void disarm(String part) {
    try {
      Files.delete(armed(part));
    } catch (IOException e) {
      throw new UncheckedIOException("'" + part + "' cannot be disarmed in " + folder, e);
    }
  }

  /** Whether a part has had an effect. */
  boolean wasHit(String part) {
    return Files.exists(hit(part));
  }

  private Path script() {
    return folder.resolve("rules.btm");
  }

  private Path armed(String part) {
    return folder.resolve("armed").resolve(part);
  }

  private Path hit(String part) {
    return folder.resolve("hit").resolve(part);
  }
}
