package io.postbox.outbox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table in docs/configuration.md and the code know the same keys and defaults. */
class ConfigurationTableTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(postbox\\.(?:outbox\\.)?[^`.]+[^`]*)` \\| (?:`([^`]*)`)?");

  @Test
  void itListsEveryKeyAndNoOther() throws IOException {
    assertThat(rows().keySet()).isEqualTo(keys());
  }

  /** The keys that the outbox asks for. */
  static Set<String> keys() {
    Set<String> asked = new TreeSet<>();
    OutboxConfigReader.read(
        Set.of("postbox.outbox.destination.a.jndi-name"),
        key -> {
          asked.add(key.replace(".destination.a.", ".destination.<name>."));
          return Optional.of("a").filter(name -> key.equals("postbox.outbox.destinations"));
        },
        "shop");
    asked.remove("POSTBOX_OUTBOX_DESTINATION_A_JNDI_NAME"); // as an environment writes it
    return asked;
  }

  @Test
  void itsDefaultsAreTheDefaults() throws IOException {
    Map<String, String> defaults = rows();
    defaults.values().removeIf(String::isEmpty);
    defaults.remove("postbox.outbox.destination.<name>.jndi-name");
    OutboxConfig told =
        OutboxConfigReader.read(
            defaults.keySet(), key -> Optional.ofNullable(defaults.get(key)), "shop");
    OutboxConfig untold = OutboxConfigReader.read(Set.of(), key -> Optional.empty(), "shop");

    assertThat(told).isEqualTo(untold);
  }

  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("../docs/configuration.md")))
        .results()
        .filter(row -> !row.group(1).matches("postbox\\.(inbox|console)\\..*"))
        .forEach(row -> rows.put(row.group(1), Optional.ofNullable(row.group(2)).orElse("")));
    return rows;
  }
}
