package io.postbox.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The machine of a measurement. */
final class Machine {
  private Machine() {}

  static List<String> describe() {
    return List.of(
        "%s: %s processors (%s), %s"
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                memory()),
        "%s %s, Java %s"
            .formatted(
                System.getProperty("os.name"), System.getProperty("os.version"), Runtime.version()),
        "Open Liberty %s; PostgreSQL %s with fsync, synchronous_commit and full_page_writes on;"
                .formatted(Options.value("openliberty"), Options.value("postgresql"))
            + " Artemis %s in a process of its own, NIO journal, synchronised at each commit"
                .formatted(Options.value("artemis")),
        String.format(
            Locale.ROOT,
            "load average at the start: %.1f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
  }

  private static String processor() {
    return first("/proc/cpuinfo", "model name");
  }

  private static String memory() {
    return first("/proc/meminfo", "MemTotal");
  }

  private static String first(String file, String key) {
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      return "unknown " + key;
    }
    try (Stream<String> lines = Files.lines(path)) {
      return lines
          .filter(line -> line.startsWith(key))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("unknown " + key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
