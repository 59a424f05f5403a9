package io.postbox.console.api;

import io.postbox.console.http.Json;
import io.postbox.console.http.Words;
import java.time.Instant;
import java.util.Optional;

/**
 * An event in the life of a message.
 *
 * @param at when
 * @param where with which destination or consumer
 * @param what the kind of event
 * @param node which node recorded it
 * @param text more about it
 * @param link the page of the console that has more
 */
public record LifeEvent(
    Instant at,
    String where,
    Enum<?> what,
    Optional<String> node,
    Optional<String> text,
    Optional<String> link) {
  /** The text of a failed attempt. */
  public static String failure(int attempt, String error) {
    return "attempt %s: %s".formatted(attempt, error);
  }

  Json json() {
    return Json.object()
        .put("at", at)
        .put("where", where)
        .put("what", Words.of(what))
        .put("node", node)
        .put("text", text)
        .put("link", link);
  }
}
