package io.postbox.it.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The alerts and the dashboard of liberty-config. */
public final class Monitoring {
  static final Path ALERTS = Path.of("../../liberty-config/prometheus/postbox-alerts.yml");
  static final Path DASHBOARD = Path.of("../../liberty-config/grafana/postbox.json");

  private static final Pattern METRIC = Pattern.compile("\\bpostbox_[a-z_]+");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)");
  private static final Pattern MATCHER = Pattern.compile("[{,]\\s*([a-z_]+)\\s*[=!]");
  private static final Pattern VALUES = Pattern.compile("label_values\\((.*), *([a-z_]+)\\)");

  private Monitoring() {}

  /**
   * A query.
   *
   * @param where the alert's or the panel's name
   * @param text in PromQL
   */
  public record Query(String where, String text) {

    /** The metrics in it. */
    public Set<String> metrics() {
      return METRIC
          .matcher(text)
          .results()
          .map(found -> found.group())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The labels by which it selects and groups, which each of its metrics must have. */
    public Set<String> labels() {
      return Stream.concat(
              GROUPING
                  .matcher(text)
                  .results()
                  .flatMap(found -> Stream.of(found.group(1).split(",")))
                  .map(String::strip),
              MATCHER.matcher(text).results().map(found -> found.group(1)))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Those of the alerts, the dashboard's panels, and its variables. */
  public static List<Query> queries() {
    return Stream.of(ofAlerts(), ofPanels(), ofVariables()).flatMap(List::stream).toList();
  }

  static List<Query> ofAlerts() {
    return rules().stream()
        .map(rule -> new Query(text(rule, "alert"), text(rule, "expr")))
        .toList();
  }

  /** With a fixed interval in place of Grafana's variable. */
  static List<Query> ofPanels() {
    List<Query> queries = new ArrayList<>();
    for (Map<String, Object> panel : panels()) {
      for (Map<String, Object> target : list(panel, "targets")) {
        queries.add(
            new Query(
                text(panel, "title"), text(target, "expr").replace("$__rate_interval", "5m")));
      }
    }
    return queries;
  }

  /** As a query that groups by the label whose values are asked for. */
  private static List<Query> ofVariables() {
    return variables().stream()
        .filter(variable -> text(variable, "type").equals("query"))
        .map(
            variable ->
                new Query(
                    "variable " + text(variable, "name"),
                    VALUES.matcher(text(variable, "definition")).replaceAll("count by ($2) ($1)")))
        .toList();
  }

  static List<Map<String, Object>> rules() {
    return list(file(ALERTS), "groups").stream()
        .flatMap(group -> list(group, "rules").stream())
        .toList();
  }

  static List<Map<String, Object>> panels() {
    return list(file(DASHBOARD), "panels");
  }

  static List<Map<String, Object>> variables() {
    return list(map(file(DASHBOARD), "templating"), "list");
  }

  static Map<String, Object> file(Path file) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try {
      return new Yaml(new SafeConstructor(options)).load(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Map<String, Object> in, String key) {
    return String.valueOf(in.get(key));
  }

  /** The maps in a list; none if it is not there. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> list(Map<String, Object> in, String key) {
    return (List<Map<String, Object>>) in.getOrDefault(key, List.of());
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> in, String key) {
    return (Map<String, Object>) in.getOrDefault(key, Map.of());
  }
}
