package io.postbox.inbox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's table and the code know the same keys. */
class ReadmeConfigurationTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(postbox\\.[^`]+)` \\|");

  @Test
  void theReadmeListsEveryKeyAndNoOther() throws IOException {
    Set<String> asked = new TreeSet<>();
    InboxConfigReader.read(
        Set.of("postbox.inbox.consumer.<name>.order"),
        key -> {
          asked.add(key);
          return Optional.empty();
        },
        "shop",
        TestConfig.ANYBODY);
    Set<String> listed = new TreeSet<>();
    ROW.matcher(Files.readString(Path.of("../README.md")))
        .results()
        .map(row -> row.group(1))
        .filter(key -> !key.startsWith("postbox.outbox."))
        .forEach(listed::add);

    assertThat(listed).isEqualTo(asked);
  }
}
