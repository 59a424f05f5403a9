package io.postbox.inbox.interceptor;

import io.postbox.inbox.jms.PayloadReader.JsonReader;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import org.jspecify.annotations.Nullable;

/** Reads objects by JSON-B, which is needed only once a handler asks for one. Thread-safe. */
public final class JsonbReader implements JsonReader, AutoCloseable {
  private @Nullable Json json;

  /** Everything that mentions JSON-B, in a class that is not linked where there is none. */
  private static final class Json {
    private final Jsonb jsonb = JsonbBuilder.create();

    private <T> @Nullable T read(String text, Class<T> type) {
      try {
        return jsonb.fromJson(text, type);
      } catch (RuntimeException malformed) { // JSON-B lets exceptions of the class pass
        throw new IllegalArgumentException("not the JSON of " + type.getName(), malformed);
      }
    }

    private void close() {
      try {
        jsonb.close();
      } catch (Exception failed) { // CDI allows a callback no checked exception
        throw new IllegalStateException("JSON-B cannot be closed", failed);
      }
    }
  }

  @Override
  public <T> @Nullable T read(String text, Class<T> type) {
    return opened().read(text, type);
  }

  private synchronized Json opened() {
    Json open = json;
    if (open == null) {
      try {
        open = new Json();
      } catch (LinkageError missing) {
        throw new IllegalStateException(
            "Reading a payload as an object needs the server's JSON-B, which it does not have: enable the feature jsonb-3.0, or read the message's text.",
            missing);
      }
      json = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (json != null) {
      json.close();
    }
  }
}
