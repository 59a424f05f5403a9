package io.postbox.console.http;

import io.postbox.common.Paused;
import io.postbox.common.ServiceNode;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Writes a JSON object, field by field. An empty {@link Optional} is left out. */
public final class Json {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final double MILLIS_OF_SECOND = 1_000;

  private final JsonObjectBuilder object = jakarta.json.Json.createObjectBuilder();

  private Json() {}

  /** An object without fields yet. */
  public static Json object() {
    return new Json();
  }

  /** Adds a text. */
  public Json put(String name, String value) {
    object.add(name, value);
    return this;
  }

  /** Adds a number. */
  public Json put(String name, long value) {
    object.add(name, value);
    return this;
  }

  /** Adds a truth value. */
  public Json put(String name, boolean value) {
    object.add(name, value);
    return this;
  }

  /** Adds a time, in UTC with milliseconds. */
  public Json put(String name, Instant value) {
    return put(name, MILLIS.format(value));
  }

  /** Adds a duration in seconds; name it so. */
  public Json put(String name, Duration value) {
    object.add(name, value.toMillis() / MILLIS_OF_SECOND);
    return this;
  }

  /** Adds an object or a list. */
  public Json put(String name, JsonValue value) {
    object.add(name, value);
    return this;
  }

  /** Adds an object. */
  public Json put(String name, Json value) {
    return put(name, value.build());
  }

  /** Adds a list of objects. */
  public <T> Json put(String name, Collection<T> values, Function<? super T, Json> form) {
    return put(name, array(values, form));
  }

  /** Adds the name of a constant. */
  public Json put(String name, Enum<?> value) {
    return put(name, value.name());
  }

  /** Adds a text, if there is one. */
  public Json put(String name, Optional<String> value) {
    value.ifPresent(it -> put(name, it));
    return this;
  }

  /** Adds a number, if there is one. */
  public Json put(String name, OptionalLong value) {
    value.ifPresent(it -> put(name, it));
    return this;
  }

  /** Adds a number, if there is one. */
  public Json put(String name, OptionalInt value) {
    value.ifPresent(it -> put(name, it));
    return this;
  }

  /** Adds a time, if there is one. */
  public Json putTime(String name, Optional<Instant> value) {
    value.ifPresent(it -> put(name, it));
    return this;
  }

  /** Adds an object, if there is one. */
  public Json putObject(String name, Optional<Json> value) {
    value.ifPresent(it -> put(name, it));
    return this;
  }

  /** Adds a list of texts. */
  public Json put(String name, Collection<String> values) {
    return put(name, list(values.stream().map(jakarta.json.Json::createValue).toList()));
  }

  /** Adds who did something, when and why. */
  public Json putWho(String principal, Instant since, String reason) {
    return put("reason", reason).put("principal", principal).put("since", since);
  }

  /** Who has paused something, when and why. */
  public static Json of(Paused paused) {
    return object().putWho(paused.principal(), paused.since(), paused.reason());
  }

  /** Adds what both modules tell of a node. */
  public Json putNode(ServiceNode node) {
    return put("name", node.name())
        .put("host", node.host())
        .put("version", node.version())
        .put("startedAt", node.startedAt())
        .put("aliveAt", node.aliveAt())
        .put("readAt", node.readAt())
        .put("alive", node.alive())
        .put("findings", node.findings())
        .put("notChecked", node.notChecked());
  }

  /** The object. */
  public JsonObject build() {
    return object.build();
  }

  /** The object, as an answer. */
  public Response ok() {
    return as(200);
  }

  /** The object, as an answer with a status. */
  public Response as(int status) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(build().toString())
        .build();
  }

  /** A list of objects. */
  public static <T> JsonArray array(Collection<T> values, Function<? super T, Json> form) {
    return list(values.stream().map(value -> form.apply(value).build()).toList());
  }

  /** A list. */
  public static JsonArray list(Collection<? extends JsonValue> values) {
    JsonArrayBuilder array = jakarta.json.Json.createArrayBuilder();
    values.forEach(array::add);
    return array.build();
  }

  /** Reads an object or a list of our own. */
  public static JsonStructure read(String json) {
    try (JsonReader reader = jakarta.json.Json.createReader(new StringReader(json))) {
      return reader.read();
    }
  }
}
