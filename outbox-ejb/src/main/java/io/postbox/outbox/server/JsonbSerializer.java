package io.postbox.outbox.server;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as JSON with the server's JSON-B. It is opened with the first such payload,
 * because an application without one does not need JSON-B. Thread-safe.
 */
public final class JsonbSerializer implements AutoCloseable {
  private @Nullable Jsonb jsonb;

  /**
   * Writes an object.
   *
   * @throws IllegalStateException naming the feature, if the server has no JSON-B
   */
  public String of(Object value) {
    return opened().toJson(value);
  }

  private synchronized Jsonb opened() {
    Jsonb open = jsonb;
    if (open == null) {
      if (!RequiredFeatures.JSON_BINDING.isPresent(JsonbSerializer.class.getClassLoader())) {
        throw new IllegalStateException(RequiredFeatures.JSON_BINDING.sentence());
      }
      open = JsonbBuilder.create();
      jsonb = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (jsonb != null) {
      try {
        jsonb.close();
      } catch (Exception failed) { // declared so by AutoCloseable
        throw new IllegalStateException("JSON-B does not close", failed);
      }
    }
  }
}
