package io.postbox.outbox.message;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a message that no statement asks for, kept as one JSON object. A property keeps its
 * type: {@code {"properties":{"priority":"integer:5"}}}.
 *
 * @param correlationId for {@code JMSCorrelationID}
 * @param replyTo the logical name of where replies go
 * @param aggregateVersion the number of the aggregate's state
 * @param traceState the W3C trace state of the enqueuing code
 * @param properties the caller's own properties
 */
public record Headers(
    @Nullable String correlationId,
    @Nullable String replyTo,
    @Nullable Long aggregateVersion,
    @Nullable String traceState,
    Map<String, Object> properties) {

  /** No header at all. */
  public static final Headers NONE = new Headers(null, null, null, null, Map.of());

  private static final String NOTHING = "{}";

  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  private static final JsonProvider JSON = JsonProvider.provider();

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Headers fromJson(String json) {
    if (json.equals(NOTHING)) {
      return NONE;
    }
    try (var reader = JSON.createReader(new StringReader(json))) {
      JsonObject object = reader.readObject();
      Map<String, Object> properties = new LinkedHashMap<>();
      JsonObject stored = object.getJsonObject("properties");
      if (stored != null) {
        stored.forEach(
            (name, value) ->
                properties.put(name, PropertyValue.parse(((JsonString) value).getString())));
      }
      return new Headers(
          object.getString("correlationId", null),
          object.getString("replyTo", null),
          object.containsKey("aggregateVersion")
              ? object.getJsonNumber("aggregateVersion").longValueExact()
              : null,
          object.getString("traceState", null),
          properties);
    } catch (RuntimeException unreadable) {
      throw new IllegalArgumentException(
          "The headers column does not contain the outbox's JSON: "
              + unreadable.getClass().getName(),
          unreadable);
    }
  }

  /** One line of JSON; the absent parts are left out. */
  public String toJson() {
    JsonObjectBuilder object = JSON.createObjectBuilder();
    Optional.ofNullable(correlationId).ifPresent(it -> object.add("correlationId", it));
    Optional.ofNullable(replyTo).ifPresent(it -> object.add("replyTo", it));
    Optional.ofNullable(aggregateVersion).ifPresent(it -> object.add("aggregateVersion", it));
    Optional.ofNullable(traceState).ifPresent(it -> object.add("traceState", it));
    if (!properties.isEmpty()) {
      JsonObjectBuilder values = JSON.createObjectBuilder();
      properties.forEach((name, value) -> values.add(name, PropertyValue.format(value)));
      object.add("properties", values);
    }
    return object.build().toString();
  }
}
