package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KnownKeysTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(postbox\\.[^`]+)` \\| (?:`([^`]*)`)?");

  /** The modules check that table against their code. */
  @Test
  void theKeysAreThoseOfTheDocument() throws IOException {
    Map<String, String> documented =
        ROW.matcher(Files.readString(Path.of("../docs/configuration.md")))
            .results()
            .collect(
                Collectors.toMap(
                    row -> row.group(1), row -> Optional.ofNullable(row.group(2)).orElse("")));

    assertThat(KnownKeys.read().defaults()).isEqualTo(documented);
  }

  @Test
  void noPasswordIsShown() {
    assertThat(KnownKeys.shown("postbox.outbox.db.Password", "hunter2")).isEqualTo("(masked)");
    assertThat(KnownKeys.shown("postbox.outbox.api-key", "hunter2")).isEqualTo("(masked)");
    assertThat(KnownKeys.shown("postbox.outbox.data-source", "jdbc:x://scott:tiger@db/postbox"))
        .isEqualTo("jdbc:x://(masked)@db/postbox");
    assertThat(KnownKeys.shown("postbox.inbox.quota.bytes", "5")).isEqualTo("5");
    assertThat(KnownKeys.shown("postbox.inbox.reply-to", "x".repeat(5_000))).hasSize(1_003);
  }
}
