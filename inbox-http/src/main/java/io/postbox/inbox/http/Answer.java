package io.postbox.inbox.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A response as it is stored: lines of text, a blank line, and the body in Base64.
 *
 * @param fingerprint the request's
 * @param status its status
 * @param headers its headers, as far as they are stored, each with its values
 * @param body its body, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // within the package, and never compared
record Answer(String fingerprint, int status, Map<String, List<String>> headers, byte[] body) {
  /** The headers that are stored; cookies and those of the connection are not. */
  static final List<String> STORED =
      List.of(
          "Content-Type",
          "Content-Language",
          "Content-Location",
          "Content-Disposition",
          "Cache-Control",
          "ETag",
          "Last-Modified",
          "Link",
          "Location",
          "Retry-After");

  private static final List<String> PROBLEM = List.of("application/problem+json");

  static Answer problem(int status, String title, String detail) {
    String json =
        "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%s,\"detail\":\"%s\"}"
            .formatted(title, status, detail);
    return new Answer(
        "",
        status,
        status == 409 || status == 503
            ? Map.of("Content-Type", PROBLEM, "Retry-After", List.of("1"))
            : Map.of("Content-Type", PROBLEM),
        json.getBytes(StandardCharsets.UTF_8));
  }

  String toText() {
    StringBuilder text = new StringBuilder(fingerprint).append('\n').append(status).append('\n');
    headers.forEach(
        (name, values) ->
            values.forEach(
                value ->
                    text.append(name)
                        .append(':')
                        .append(value.replace('\n', ' ').replace('\r', ' '))
                        .append('\n')));
    return text.append('\n').append(Base64.getEncoder().encodeToString(body)).toString();
  }

  static Answer parse(String text) {
    int blank = text.indexOf("\n\n");
    List<String> lines = text.substring(0, blank).lines().toList();
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String line : lines.subList(2, lines.size())) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
          .add(line.substring(colon + 1));
    }
    return new Answer(
        lines.get(0),
        Integer.parseInt(lines.get(1)),
        headers,
        Base64.getDecoder().decode(text.substring(blank + 2)));
  }
}
