package io.postbox.common.server;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The server's JSON-B, which is opened with the first object, because an application without one
 * does not need it. Thread-safe.
 */
public final class JsonBinding implements AutoCloseable {
  private final String remedy;
  private @Nullable Json json;

  /**
   * @param remedy what to do on a server that has no JSON-B
   */
  public JsonBinding(String remedy) {
    this.remedy = remedy;
  }

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

  /**
   * Writes an object.
   *
   * @throws IllegalStateException with the remedy, if the server has no JSON-B
   */
  public String write(Object value) {
    return opened().jsonb.toJson(value);
  }

  /**
   * Reads an object; {@code null} if the text is JSON's {@code null}.
   *
   * @throws IllegalArgumentException if the text is not the JSON of such an object
   * @throws IllegalStateException with the remedy, if the server has no JSON-B
   */
  public <T> @Nullable T read(String text, Class<T> type) {
    return opened().read(text, type);
  }

  private synchronized Json opened() {
    Json open = json;
    if (open == null) {
      try {
        open = new Json();
      } catch (LinkageError missing) {
        throw new IllegalStateException(remedy, missing);
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
