package io.postbox.crash.campaign;

import io.postbox.crash.faults.BacklogFault;
import io.postbox.crash.faults.DiskFault;
import io.postbox.crash.faults.Fault;
import io.postbox.crash.report.RoundsFile;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.disk.SmallDisks;
import io.postbox.testkit.server.Workspace;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The settings of campaigns and soaks, from the build; see the POM.
 *
 * @param settings those of every test that kills servers
 * @param modes the modes of the campaigns
 * @param faults the names of what they do; empty for all that a mode allows
 * @param rounds how many rounds each of them has
 * @param clients how many order in them, each at the same pace, divided among the servers
 * @param soakMinutes how long a soak has load
 * @param roundsFile where the rounds are added that were played, if they are
 */
public record CampaignSettings(
    Settings settings,
    List<Mode> modes,
    List<String> faults,
    int rounds,
    int clients,
    int soakMinutes,
    Optional<RoundsFile> roundsFile) {

  private static final Optional<String> NO_SMALL_DISKS = SmallDisks.obstacle();

  public static CampaignSettings read() {
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
    Settings settings = Settings.read();
    return new CampaignSettings(
        settings,
        modes(faults, settings.seed()),
        faults,
        atLeastOne("crash.rounds"),
        atLeastOne("crash.clients"),
        atLeastOne("soak.minutes"),
        roundsFile(settings));
  }

  /**
   * A relative path begins at the root of the checkout. One outside of it is refused before hours
   * of rounds could not be written.
   */
  private static Optional<RoundsFile> roundsFile(Settings settings) {
    String path = System.getProperty("crash.csv", "");
    return path.isEmpty()
        ? Optional.empty()
        : Optional.of(
            RoundsFile.in(settings.workspace().libertyConfig().resolveSibling(path).normalize()));
  }

  /**
   * Instead of what the build chose, each of these once.
   *
   * @param folder for servers, data and logs
   */
  CampaignSettings playing(String folder, List<String> chosen) {
    return new CampaignSettings(
        settings.within(folder),
        modes,
        List.copyOf(chosen),
        chosen.size(),
        clients,
        soakMinutes,
        roundsFile);
  }

  /** The seed from which everything else is drawn. */
  public long seed() {
    return settings.seed();
  }

  /** Where servers, data, logs and pages may lie. */
  public Path work() {
    return settings.work();
  }

  /**
   * The settings of a campaign in a mode.
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
    chosen.forEach(CampaignSettings::requirePossible);
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

  /** The command that repeats a campaign. */
  String commandFor(Mode mode) {
    return "./mvnw verify -Pcrash -Dmodes=%s%s -Drounds=%s -Dclients=%s -Dseed=%s"
        .formatted(
            mode.text(),
            faults.isEmpty() ? "" : " -Dfaults=" + String.join(",", faults),
            rounds,
            clients,
            seed());
  }

  /** The command that repeats a soak. */
  public String soakCommandFor(Mode mode) {
    return "./mvnw verify -Psoak -Dsoak.minutes=%s -Dmodes=%s -Dseed=%s"
        .formatted(soakMinutes, mode.text(), seed());
  }

  private static List<Mode> modes(List<String> faults, long seed) {
    return switch (Workspace.property("crash.modes")) {
      case "all" -> Arrays.stream(Mode.values()).filter(mode -> mode.has(faults)).toList();
      case "drawn" -> Mode.drawn(seed);
      default -> words("modes").stream().map(CampaignSettings::mode).toList();
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

  /** Separated by commas; "all" is no choice. */
  private static List<String> words(String option) {
    String value = Workspace.property("crash." + option);
    return value.equals("all") ? List.of() : List.of(value.split(","));
  }

  private static int atLeastOne(String key) {
    int number = Integer.parseInt(Workspace.property(key));
    if (number < 1) {
      throw new IllegalArgumentException(key + "=" + number + ": at least one");
    }
    return number;
  }
}
