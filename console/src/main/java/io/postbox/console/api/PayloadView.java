package io.postbox.console.api;

import io.postbox.common.StoredPayload;
import io.postbox.common.text.Storable;
import io.postbox.console.http.Json;
import io.postbox.console.http.Query;
import io.postbox.console.http.Words;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** How much of a payload somebody wants to see. */
public enum PayloadView {
  /** Its form: letters and digits are replaced. */
  MASKED,
  /** Its beginning. */
  HEAD,
  /** All of it, as a file: no browser shows or runs it, whatever is in it. */
  FULL;

  private static final int MOST_MASKED = 4_000;
  private static final int HEAD_LENGTH = 256;

  /** The view that an address asks for. */
  public static PayloadView of(UriInfo address) {
    return of(Query.of(address.getQueryParameters(), "show").text("show").orElse("masked"));
  }

  /** The view of this name. */
  static PayloadView of(String name) {
    return Words.one(values(), Words::of, name, "There is no such view of a payload.");
  }

  /**
   * The payload as far as the view shows it.
   *
   * @param name of the file, if it is one
   */
  public Response answer(StoredPayload payload, String name) {
    return this == FULL ? file(payload, name) : part(payload).ok();
  }

  Json part(StoredPayload payload) {
    boolean masked = this == MASKED;
    Optional<String> shown = payload.text().or(payload::reference);
    int size = octets(payload).length;
    int most = masked ? MOST_MASKED : HEAD_LENGTH;
    Json part =
        Json.object()
            .put("bodyType", payload.reference().isPresent() ? "REFERENCE" : payload.type())
            .put("bytes", size)
            .put("show", Words.of(this));
    shown.ifPresent(
        text -> {
          String first = Storable.cut(text, most);
          part.put("text", masked ? masked(first) : first)
              .put("truncated", first.length() < text.length());
        });
    payload
        .bytes()
        .filter(bytes -> !masked)
        .ifPresent(
            bytes ->
                part.put("text", HexFormat.of().formatHex(bytes, 0, Math.min(size, HEAD_LENGTH)))
                    .put("truncated", size > HEAD_LENGTH));
    JsonObject properties = Json.read(payload.properties()).asJsonObject();
    return part.put("properties", masked ? masked(properties) : properties);
  }

  /** The inbox writes an object, whose values may be objects again. */
  private static JsonObject masked(JsonObject object) {
    JsonObjectBuilder form = jakarta.json.Json.createObjectBuilder();
    object.forEach(
        (name, value) -> {
          if (value instanceof JsonObject inner) {
            form.add(name, masked(inner));
          } else {
            form.add(
                name,
                masked(
                    value instanceof JsonString text ? text.getString() : String.valueOf(value)));
          }
        });
    return form.build();
  }

  /**
   * Letters become x, digits 0; the rest tells JSON from XML, and a long field from a short one.
   */
  static String masked(String text) {
    StringBuilder form = new StringBuilder(text.length());
    text.codePoints()
        .map(
            each ->
                Character.isDigit(each)
                    ? '0'
                    : Character.isLetter(each) || each > Byte.MAX_VALUE ? 'x' : each)
        .forEach(form::appendCodePoint);
    return form.toString();
  }

  private static byte[] octets(StoredPayload payload) {
    String text = payload.text().or(payload::reference).orElse("");
    return payload.bytes().orElseGet(() -> text.getBytes(StandardCharsets.UTF_8));
  }

  private static Response file(StoredPayload payload, String name) {
    return Response.ok(octets(payload), MediaType.APPLICATION_OCTET_STREAM_TYPE)
        .header("Content-Disposition", "attachment; filename=\"" + name + ".bin\"")
        .header("Cache-Control", "no-store")
        .build();
  }
}
