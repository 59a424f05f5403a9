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

/** The table in docs/configuration.md and the code know the same keys. */
class ConfigurationTableTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(postbox\\.[^`]+)` \\|");

  @Test
  void itListsEveryKeyAndNoOther() throws IOException {
    Set<String> listed = new TreeSet<>();
    ROW.matcher(Files.readString(Path.of("../docs/configuration.md")))
        .results()
        .map(row -> row.group(1))
        .filter(key -> !key.matches("postbox\\.(outbox|console)\\..*"))
        .forEach(listed::add);

    assertThat(listed).isEqualTo(keys());
  }

  /** The keys that the inbox asks for. */
  static Set<String> keys() {
    Set<String> asked = new TreeSet<>();
    InboxConfigReader.read(
        Set.of("postbox.inbox.consumer.<name>.order"),
        key -> {
          asked.add(key);
          return Optional.empty();
        },
        "shop",
        TestConfig.ANYBODY);
    return asked;
  }
}
