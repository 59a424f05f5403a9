package io.postbox.inbox.http;

import io.postbox.common.testing.Golden;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stored form of a response, as nodes of other releases write it. */
class HttpGoldenTest {
  @Test
  void aStoredResponseIsRepeated() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("Content-Type", List.of("text/plain"));
    headers.put("Link", List.of("</a>; rel=first", "</b>; rel=last"));
    Golden.of("responses")
        .holds(
            Stream.of(
                    new Answer("f", 201, headers, new byte[] {0, 1, -1}),
                    new Answer("f", 204, Map.of(), new byte[0]))
                .flatMap(answer -> answer.toText().lines()));
  }

  @Test
  void aRepeatIsRecognised() {
    Golden.of("request-fingerprints")
        .holds(
            Stream.of(
                DigestingRequest.sha256("POST", "/till", null, "text/plain", "00"),
                DigestingRequest.sha256("POST", "/till", "", "text/plain", "00"),
                DigestingRequest.sha256("POST", "/täll", "a=b", "text/plain", "00")));
  }
}
