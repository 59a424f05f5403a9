package io.postbox.console.api;

import io.postbox.console.http.Json;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The findings of the guarantee checks, in the words of docs/operations.md.
 *
 * @param texts by module and name
 */
record Findings(Map<String, String> texts) {
  private static final String UNKNOWN =
      "https://github.com/postbox/postbox/blob/main/docs/operations.md says what could happen";

  /** Lines of a module, the name of a finding, and its text. */
  static Findings read() {
    return new Findings(
        Resources.texts(
            "/META-INF/postbox/console-findings.txt", Pattern.compile("(\\S+ \\S+) (.*)")));
  }

  Json json(String module, String node, String id) {
    return Json.object()
        .put("module", module)
        .put("node", node)
        .put("id", id)
        .put("text", texts.getOrDefault(module + " " + id, UNKNOWN));
  }
}
