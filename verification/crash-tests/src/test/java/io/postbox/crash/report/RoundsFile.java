package io.postbox.crash.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * The rounds of many campaigns, a line each: the day, the commit, the mode, the seed, the number of
 * the round, its fault, and its outcome.
 *
 * @param file there after the first campaign
 * @param commit that of the checkout, with a plus sign if what is tested differs from it
 */
public record RoundsFile(Path file, String commit) {
  private static final String TITLE = "date,commit,mode,seed,round,fault,outcome\n";
  private static final String GOOD = "0 violations";

  /** What the servers run, beside their configuration. */
  private static final String TESTED = ":(top,glob)**/src/main/**";

  /**
   * The file of the commit that is checked out where it lies.
   *
   * @throws IllegalStateException if it does not lie in a checkout
   */
  public static RoundsFile in(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be made", e);
    }
    String head = git(folder, "rev-parse", "--short=12", "HEAD").strip();
    boolean isClean =
        git(folder, "status", "--porcelain", "--untracked-files=all", "--", TESTED).isBlank();
    return new RoundsFile(file, isClean ? head : head + "+");
  }

  /**
   * Adds the rounds of one campaign.
   *
   * @param rounds those that are over
   * @param wrong what was found in the end, which the last of them is blamed for; empty if nothing
   */
  public void add(String mode, long seed, List<RoundResult> rounds, String wrong) {
    String day = LocalDate.now(Clock.systemUTC()).toString();
    List<String> lines = new ArrayList<>();
    for (RoundResult round : rounds) {
      boolean isLast = round.equals(rounds.get(rounds.size() - 1));
      String outcome = isLast && !wrong.isEmpty() ? wrong : GOOD;
      lines.add(
          "%s,%s,%s,%s,%s,%s,%s\n"
              .formatted(
                  day,
                  commit,
                  mode,
                  seed,
                  round.number(),
                  round.fault(),
                  outcome.replaceAll("[,\n\r]", ";")));
    }
    try {
      if (!Files.exists(file)) {
        lines.add(0, TITLE);
      }
      Files.writeString(
          file,
          String.join("", lines),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("The rounds cannot be written to " + file, e);
    }
  }

  private static String git(Path folder, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " says " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(command + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(command + " was interrupted", e);
    }
  }
}
