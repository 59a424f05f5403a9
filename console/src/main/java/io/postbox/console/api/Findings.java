package io.postbox.console.api;

import io.postbox.console.http.Json;
import java.util.Map;
import java.util.TreeMap;

/**
 * The findings of the guarantee checks, in the words of docs/operations.md.
 *
 * @param texts by module and name
 */
record Findings(Map<String, String> texts) {
  private static final String UNKNOWN =
      "https://github.com/postbox/postbox/blob/main/docs/operations.md says what could happen";

  Findings {
    texts = Map.copyOf(texts);
  }

  /** Lines of a module, the name of a finding, and its text. */
  static Findings read() {
    Map<String, String> texts = new TreeMap<>();
    Resources.lines("/META-INF/postbox/console-findings.txt")
        .forEach(
            line -> {
              String[] parts = line.split(" ", 3);
              texts.put(parts[0] + " " + parts[1], parts[2]);
            });
    return new Findings(texts);
  }

  Json json(String module, String node, String id) {
    return Json.object()
        .put("module", module)
        .put("node", node)
        .put("id", id)
        .put("text", texts.getOrDefault(module + " " + id, UNKNOWN));
  }
}
