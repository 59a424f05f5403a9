package io.postbox.console.api;

import jakarta.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A page of what one module has found.
 *
 * @param items as the API writes them
 * @param next where the module goes on; empty if it has no more
 * @param note the part that the search leaves out
 */
public record Found(List<JsonObject> items, Optional<String> next, Optional<String> note) {
  /** Nothing. */
  public static final Found NOTHING = new Found(List.of(), Optional.empty(), Optional.empty());

  /** Keeps a copy. */
  public Found {
    items = List.copyOf(items);
  }
}
