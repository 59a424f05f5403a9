package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ((?:`[a-z0-9-]+`(?:, )?)+) \\| (.*) \\|$");
  private static final Pattern NAME = Pattern.compile("`([a-z0-9-]+)`");

  /** The modules check that each of their findings is in that document. */
  @Test
  void theTextsAreThoseOfTheRunbook() throws IOException {
    String runbook = Files.readString(Path.of("../docs/operations.md"));
    Map<String, String> documented = new TreeMap<>();
    documented.putAll(texts(runbook, "outbox", "## Findings of the guarantee check\n"));
    documented.putAll(texts(runbook, "inbox", "## Findings of the inbox's guarantee check\n"));

    assertThat(documented).isNotEmpty();
    assertThat(Findings.read().texts()).isEqualTo(documented);
  }

  private static Map<String, String> texts(String runbook, String module, String heading) {
    String section = runbook.substring(runbook.indexOf(heading) + heading.length());
    Map<String, String> texts = new TreeMap<>();
    for (MatchResult row :
        ROW.matcher(section.substring(0, section.indexOf("\n## "))).results().toList()) {
      String text = row.group(2).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replace("`", "");
      NAME.matcher(row.group(1))
          .results()
          .forEach(it -> texts.put(module + " " + it.group(1), text));
    }
    return texts;
  }
}
