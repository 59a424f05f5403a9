package io.postbox.it.crash;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the build tells the campaign; see the POM.
 *
 * @param installation the Open Liberty to run, shared with other tests
 * @param libertyConfig the sample's configuration
 * @param artifacts the sample's EAR and the database drivers
 * @param work where servers, data and logs may lie
 * @param modes what campaigns there are
 * @param faults the names of what they do; empty for all that a mode allows
 * @param rounds how many rounds each of them has
 * @param clients how many order in them, each at the same pace, divided among the servers
 * @param soakMinutes how long a soak has load
 * @param longStops whether a server is also stopped with a handler that outlasts the half minute
 *     for which the server waits itself
 * @param seed what they are drawn from
 */
record Settings(
    Path installation,
    Path libertyConfig,
    Path artifacts,
    Path work,
    List<Mode> modes,
    List<String> faults,
    int rounds,
    int clients,
    int soakMinutes,
    boolean longStops,
    long seed) {

  private static final Optional<String> NO_SMALL_DISKS = SmallDisks.obstacle();

  static Settings read() {
    List<String> faults = words("faults");
    Set<String> known =
        Arrays.stream(Mode.values())
            .flatMap(mode -> mode.faults().stream())
            .map(Fault::name)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!known.containsAll(faults)) {
      throw new IllegalArgumentException(
          "-Dfaults=%s: there is only %s".formatted(String.join(",", faults), known));
    }
    long seed = seed(value("crash.seed"));
    return new Settings(
        path("postbox.wlp"),
        path("postbox.liberty-config"),
        path("postbox.artifacts"),
        path("postbox.work").resolve("crash"),
        modes(faults, seed),
        faults,
        atLeastOne("crash.rounds"),
        atLeastOne("crash.clients"),
        atLeastOne("soak.minutes"),
        value("crash.stops").equals("long"),
        seed);
  }

  /**
   * Instead of what the build chose, each of these once.
   *
   * @param folder where in {@link #work} it lies
   */
  Settings playing(String folder, List<String> chosen) {
    return new Settings(
        installation,
        libertyConfig,
        artifacts,
        work.resolve(folder),
        modes,
        List.copyOf(chosen),
        chosen.size(),
        clients,
        soakMinutes,
        longStops,
        seed);
  }

  /**
   * What a campaign does in a mode.
   *
   * @throws IllegalArgumentException if nothing of what was asked for can be done to it, or this
   *     machine cannot do it
   */
  List<Fault> faultsOf(Mode mode) {
    List<Fault> all = mode.faults();
    List<Fault> chosen =
        all.stream()
            .filter(fault -> faults.isEmpty() ? isDrawn(fault) : faults.contains(fault.name()))
            .toList();
    chosen.forEach(Settings::requirePossible);
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "-Dfaults=%s: %s has only %s"
              .formatted(
                  String.join(",", faults), mode.text(), all.stream().map(Fault::name).toList()));
    }
    return chosen;
  }

  /** Full disks, and backlogs that take minutes, are played when they are asked for. */
  private static boolean isDrawn(Fault fault) {
    return !(fault instanceof DiskFault || fault instanceof BacklogFault);
  }

  /** Small disks take user name spaces, which not every system lets everybody have. */
  private static void requirePossible(Fault fault) {
    if (fault instanceof DiskFault && NO_SMALL_DISKS.isPresent()) {
      throw new IllegalArgumentException(
          "-Dfaults=%s: there are no small disks here: %s"
              .formatted(fault.name(), NO_SMALL_DISKS.get()));
    }
  }

  /** The command that plays a campaign again. */
  String again(Mode mode) {
    return "./mvnw verify -Pcrash -Dmodes=%s%s -Drounds=%d -Dclients=%d -Dseed=%d"
        .formatted(
            mode.text(),
            faults.isEmpty() ? "" : " -Dfaults=" + String.join(",", faults),
            rounds,
            clients,
            seed);
  }

  /** The command that plays a soak again. */
  String soakAgain(Mode mode) {
    return "./mvnw verify -Psoak -Dsoak.minutes=%d -Dmodes=%s -Dseed=%d"
        .formatted(soakMinutes, mode.text(), seed);
  }

  private static List<Mode> modes(List<String> faults, long seed) {
    return switch (value("crash.modes")) {
      case "all" -> Arrays.stream(Mode.values()).filter(mode -> mode.has(faults)).toList();
      case "drawn" -> Mode.drawn(seed);
      default -> words("modes").stream().map(Settings::mode).toList();
    };
  }

  private static Mode mode(String text) {
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-Dmodes=%s: there is only %s"
                        .formatted(text, Arrays.stream(Mode.values()).map(Mode::text).toList())));
  }

  /** Separated by commas; "all" stands for no choice. */
  private static List<String> words(String option) {
    String value = value("crash." + option);
    return value.equals("all") ? List.of() : List.of(value.split(","));
  }

  private static int atLeastOne(String key) {
    int number = Integer.parseInt(value(key));
    if (number < 1) {
      throw new IllegalArgumentException(key + "=" + number + ": at least one");
    }
    return number;
  }

  private static long seed(String text) {
    return text.equals("random") ? new Random().nextInt(1_000_000) : Long.parseLong(text);
  }

  private static Path path(String key) {
    return Path.of(value(key)).toAbsolutePath().normalize();
  }

  private static String value(String key) {
    String value = System.getProperty(key, "");
    if (value.isEmpty()) {
      throw new IllegalStateException(
          "System property " + key + " is missing; run this through Maven: ./mvnw verify");
    }
    return value;
  }
}
