package io.postbox.it.readme;

import static io.postbox.it.readme.Monitoring.map;
import static io.postbox.it.readme.Monitoring.panels;
import static io.postbox.it.readme.Monitoring.rules;
import static io.postbox.it.readme.Monitoring.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postbox.it.readme.Monitoring.Query;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboard, without a server; MonitoringIT looks at one. */
class MonitoringTest {
  private static final Pattern DURATION = Pattern.compile("\\d+[smhd]");
  private static final Pattern TEMPLATE = Pattern.compile("\\{\\{([^}]*)\\}\\}");
  private static final Pattern VALUE =
      Pattern.compile("\\$value( \\| humanize(Duration|1024|Percentage)?)?");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.([a-z]+)");
  private static final Pattern SECTION = Pattern.compile("docs/operations\\.md#([a-z0-9-]+)$");

  @Test
  void anAlertHasWhatPrometheusKnowsAndSaysWhatToDo() {
    Set<String> sections = DocumentsTest.anchors(Path.of("../../docs/operations.md"));

    assertThat(Monitoring.file(Monitoring.ALERTS)).containsOnlyKeys("groups");
    for (Map<String, Object> group :
        Monitoring.list(Monitoring.file(Monitoring.ALERTS), "groups")) {
      assertThat(group).containsOnlyKeys("name", "rules");
    }
    assertThat(rules()).hasSizeGreaterThan(15);
    assertThat(rules()).extracting(rule -> rule.get("alert")).doesNotHaveDuplicates();
    for (Map<String, Object> rule : rules()) {
      String alert = text(rule, "alert");
      assertThat(rule.keySet())
          .as(alert)
          .contains("alert", "expr", "labels", "annotations")
          .isSubsetOf("alert", "expr", "for", "labels", "annotations");
      assertThat(text(rule, "for")).as(alert).matches("null|" + DURATION);
      assertThat(map(rule, "labels")).as(alert).containsOnlyKeys("severity");
      assertThat(text(map(rule, "labels"), "severity")).isIn("critical", "warning", "info");
      assertThat(map(rule, "annotations"))
          .as(alert)
          .containsOnlyKeys("summary", "description", "runbook_url");
      String runbook = text(map(rule, "annotations"), "runbook_url");
      assertThat(runbook).startsWith("https://github.com/postbox/postbox/blob/main/docs/");
      assertThat(sectionIn(runbook)).isIn(sections);
    }
  }

  /** Prometheus leaves a label that is missing empty, and says so nowhere. */
  @Test
  void anAlertsTextsNameLabelsThatItHas() {
    for (Map<String, Object> rule : rules()) {
      Set<String> labels = new Query("", text(rule, "expr")).labels();
      for (Object written : map(rule, "annotations").values()) {
        for (MatchResult template : TEMPLATE.matcher(written.toString()).results().toList()) {
          String inside = template.group(1).strip();
          assertThat(inside)
              .as(text(rule, "alert"))
              .matches(LABEL.pattern() + "|" + VALUE.pattern());
          assertThat(labels)
              .as(text(rule, "alert"))
              .containsAll(LABEL.matcher(inside).results().map(label -> label.group(1)).toList());
        }
      }
    }
  }

  @Test
  void aPanelNamesItsSectionAndTheDataSourceAndHasAPlaceOfItsOwn() {
    Set<String> sections = DocumentsTest.anchors(Path.of("../../docs/operations.md"));
    List<Map<String, Object>> shown =
        panels().stream().filter(panel -> !text(panel, "type").equals("row")).toList();

    assertThat(panels()).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    assertThat(shown).hasSizeGreaterThan(15);
    for (Map<String, Object> panel : shown) {
      String title = text(panel, "title");
      assertThat(sectionIn(text(panel, "description"))).as(title).isIn(sections);
      assertThat(text(map(panel, "datasource"), "uid")).as(title).isEqualTo("${datasource}");
      assertThat(Monitoring.list(panel, "targets")).as(title).isNotEmpty();
    }
    List<String> cells =
        panels().stream().map(panel -> map(panel, "gridPos")).flatMap(this::cells).toList();
    assertThat(cells).doesNotHaveDuplicates();
  }

  private Stream<String> cells(Map<String, Object> place) {
    int left = (Integer) place.get("x");
    int top = (Integer) place.get("y");
    List<String> cells = new ArrayList<>();
    for (int x = left; x < left + (Integer) place.get("w"); x++) {
      assertThat(x).isLessThan(24);
      for (int y = top; y < top + (Integer) place.get("h"); y++) {
        cells.add(x + "," + y);
      }
    }
    return cells.stream();
  }

  @Test
  void theDashboardsQueriesUseItsVariables() {
    Set<String> known = Set.of("datasource", "service", "destination", "consumer");
    assertThat(Monitoring.variables())
        .extracting(variable -> variable.get("name"))
        .containsExactlyInAnyOrderElementsOf(known);
    for (Query query : Monitoring.ofPanels()) {
      assertThat(
              Pattern.compile("\\$(\\w+)")
                  .matcher(query.text())
                  .results()
                  .map(found -> found.group(1)))
          .as(query.where())
          .isNotEmpty()
          .isSubsetOf(known);
    }
  }

  /** All queries, those of the dashboard in rules that are made for this. */
  @Test
  void prometheusReadsThem(@TempDir Path folder) throws IOException, InterruptedException {
    Optional<Path> promtool = onPath("promtool");
    assumeTrue(
        promtool.isPresent(),
        "promtool, which reads rules as Prometheus does, is not on the PATH; .ci/run gets it");
    Path ofPanels = folder.resolve("panels.yml");
    StringBuilder rules = new StringBuilder("groups:\n- name: panels\n  rules:\n");
    int number = 0;
    for (Query query : Monitoring.ofPanels()) {
      rules.append(
          "  - record: panel_%s\n    expr: '%s'\n"
              .formatted(number++, query.text().replace("'", "''")));
    }
    Files.writeString(ofPanels, rules);

    Process check =
        new ProcessBuilder(
                promtool.get().toString(),
                "check",
                "rules",
                Monitoring.ALERTS.toString(),
                ofPanels.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes());
    assertThat(check.waitFor()).as(said).isZero();
    assertThat(said)
        .contains(
            "SUCCESS: %s rules found".formatted(rules().size()),
            "SUCCESS: %s rules found".formatted(number));
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(folder -> Path.of(folder).resolve(program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String sectionIn(String text) {
    return SECTION
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElse("no section in " + text);
  }
}
