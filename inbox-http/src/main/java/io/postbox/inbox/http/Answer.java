package io.postbox.inbox.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  /** Says that a response is a repeated one; the customary name. */
  static final String REPLAYED = "Idempotent-Replayed";

  /** The headers of a representation beside {@code Content-*}, and those that say where it is. */
  private static final Set<String> STORED =
      lowerCase(
          "Cache-Control",
          "Digest",
          "ETag",
          "Expires",
          "Last-Modified",
          "Link",
          "Location",
          "Repr-Digest",
          "Retry-After",
          "Vary");

  /** Those of each response anew, which are never stored. */
  private static final Set<String> OWN =
      lowerCase(
          "Connection",
          "Content-Length",
          "Content-Security-Policy",
          "Content-Security-Policy-Report-Only",
          "Date",
          "Keep-Alive",
          "Set-Cookie",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade");

  private static final List<String> PROBLEM = List.of("application/problem+json");

  /** Whether the header belongs to what is stored of every response. */
  static boolean isStored(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return STORED.contains(name) || (name.startsWith("content-") && !isOwn(name));
  }

  /** Whether the header belongs to a single response, or to its connection. */
  static boolean isOwn(String header) {
    return OWN.contains(header.toLowerCase(Locale.ROOT));
  }

  private static Set<String> lowerCase(String... names) {
    return Stream.of(names).map(it -> it.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** The same with the mark of a repeat. */
  Answer replayed() {
    Map<String, List<String>> marked = new LinkedHashMap<>(headers);
    marked.put(REPLAYED, List.of("true"));
    return new Answer(fingerprint, status, marked, body);
  }

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
