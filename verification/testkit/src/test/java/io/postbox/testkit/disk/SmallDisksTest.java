package io.postbox.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallDisksTest {
  @TempDir Path folder;

  @BeforeAll
  static void onlyWhereThereAreAny() {
    Optional<String> obstacle = SmallDisks.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> "There are no small disks here: " + obstacle.get());
  }

  @Test
  void aProcessThatSeesItCanWriteUnlessItIsFull() throws Exception {
    Files.writeString(folder.resolve("before"), "before");
    try (SmallDisks disks = SmallDisks.over(List.of(folder))) {
      assertThat(writes(disks, "first")).isTrue();
      disks.fill(folder);
      assertThat(writes(disks, "second")).isFalse();
      disks.free(folder);
      assertThat(writes(disks, "third")).isTrue();
      assertThat(disks.seen(folder.resolve("before"))).hasContent("before");
      assertThat(folder.resolve("before")).as("for others").doesNotExist();
    }
    assertThat(folder.resolve("before")).hasContent("before");
    assertThat(folder.resolve("first")).hasContent("first\n");
    assertThat(folder.resolve("third")).hasContent("third\n");
  }

  @Test
  void oneCanBeFullAndAnotherNot() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Path full = Files.createDirectory(folder.resolve("full"));
    try (SmallDisks disks = SmallDisks.over(List.of(full, other))) {
      disks.fill(full);
      assertThat(writes(disks, "full/x")).isFalse();
      assertThat(writes(disks, "other/x")).isTrue();
    }
  }

  private boolean writes(SmallDisks disks, String file) throws IOException, InterruptedException {
    List<String> command = List.of("sh", "-c", "echo $0 > $0", file);
    return new ProcessBuilder(disks.through(folder, command)).start().waitFor() == 0;
  }
}
