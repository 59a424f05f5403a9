package io.postbox.crash.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsFileTest {
  @Test
  void eachCampaignAddsItsRoundsAndBlamesTheLastOne(@TempDir Path folder)
      throws IOException, InterruptedException {
    git(folder, "init", "--quiet");
    git(
        folder,
        "-c",
        "user.name=somebody",
        "-c",
        "user.email=somebody@example.org",
        "commit",
        "--quiet",
        "--allow-empty",
        "--message=one");
    Path file = folder.resolve("lab/campaign.csv");

    RoundsFile.in(file).add("h2", 42, List.of(round(1, "KILLED"), round(2, "SENT")), "");
    Files.createDirectories(folder.resolve("outbox/src/main"));
    Files.writeString(folder.resolve("outbox/src/main/Changed.java"), "");
    RoundsFile.in(file)
        .add("artemis", 7, List.of(round(1, "KILLED"), round(2, "SENT")), "LOST: a, b");

    assertThat(Files.readAllLines(file))
        .map(line -> line.replaceFirst("^20[-\\d]{8},[0-9a-f]{12}", "DAY,COMMIT"))
        .containsExactly(
            "date,commit,mode,seed,round,fault,outcome",
            "DAY,COMMIT,h2,42,1,KILLED,0 violations",
            "DAY,COMMIT,h2,42,2,SENT,0 violations",
            "DAY,COMMIT+,artemis,7,1,KILLED,0 violations",
            "DAY,COMMIT+,artemis,7,2,SENT,LOST: a; b");
  }

  @Test
  void aFileOutsideOfACheckoutIsRefusedBeforeARoundIsPlayed(@TempDir Path folder) {
    assertThatThrownBy(() -> RoundsFile.in(folder.resolve("campaign.csv")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not a git repository");
  }

  private static RoundResult round(int number, String fault) {
    return new RoundResult(number, fault, "", 0, Duration.ZERO, Duration.ZERO);
  }

  private static void git(Path folder, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    assertThat(process.waitFor()).isZero();
  }
}
