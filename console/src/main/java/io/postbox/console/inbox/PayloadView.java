package io.postbox.console.inbox;

import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.inbox.KeptPayload;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** How much of a payload somebody wants to see. */
enum PayloadView {
  /** Its form: letters and digits are replaced. */
  MASKED,
  /** Its beginning. */
  HEAD,
  /** All of it, as a file: whatever is in it, no browser shows or runs it. */
  FULL;

  private static final int MOST_MASKED = 4_000;
  private static final int HEAD_LENGTH = 256;

  static PayloadView of(String name) {
    for (PayloadView each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
        return each;
      }
    }
    throw Problem.invalid("There is no such view of a payload.", "Use: masked, head, full.")
        .exception();
  }

  Response answer(KeptPayload payload, String name) {
    return this == FULL ? file(payload, name) : part(payload).ok();
  }

  Json part(KeptPayload payload) {
    boolean masked = this == MASKED;
    Json part =
        Json.object()
            .put("bodyType", payload.bodyType())
            .put("size", octets(payload).length)
            .put("show", name().toLowerCase(Locale.ROOT));
    payload
        .text()
        .ifPresent(
            text ->
                part.put(
                    "text", masked ? masked(first(text, MOST_MASKED)) : first(text, HEAD_LENGTH)));
    if (!masked) {
      payload
          .bytes()
          .ifPresent(
              bytes ->
                  part.put(
                      "hex",
                      HexFormat.of()
                          .formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, HEAD_LENGTH)))));
    }
    return part.put("properties", masked ? masked(payload.properties()) : payload.properties());
  }

  /** Not in the middle of a character. */
  private static String first(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    boolean cutsOne = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, cutsOne ? length - 1 : length);
  }

  /**
   * Letters become x, digits 0; what is left tells JSON from XML, and a long field from a short
   * one.
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

  private static byte[] octets(KeptPayload payload) {
    return payload
        .bytes()
        .orElseGet(() -> payload.text().orElse("").getBytes(StandardCharsets.UTF_8));
  }

  private static Response file(KeptPayload payload, String name) {
    return Response.ok(octets(payload), MediaType.APPLICATION_OCTET_STREAM_TYPE)
        .header("Content-Disposition", "attachment; filename=\"" + name + ".bin\"")
        .header("Cache-Control", "no-store")
        .build();
  }
}
