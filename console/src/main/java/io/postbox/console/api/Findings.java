package io.postbox.console.api;

import io.postbox.console.http.Json;
import jakarta.json.JsonObject;

/** What the guarantee checks have found. */
final class Findings {
  private Findings() {}

  static JsonObject json(String module, String node, String id) {
    return Json.object()
        .put("module", module)
        .put("node", node)
        .put("id", id)
        .put(
            "text",
            "The guarantee check of the %s has found: %s. docs/operations.md says what could happen and what to set."
                .formatted(module, id))
        .build();
  }
}
