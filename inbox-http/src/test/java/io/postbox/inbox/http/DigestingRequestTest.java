package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes two requests the same. */
class DigestingRequestTest {
  private static String form(String boundary, String file) {
    return "--%1$s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%2$s\r\n--%1$s--\r\n"
        .formatted(boundary, file);
  }

  private static String fingerprint(String contentType, String body) throws IOException {
    return fingerprint(contentType, body.getBytes(StandardCharsets.UTF_8), 8_192);
  }

  private static String fingerprint(String contentType, byte[] body, int piece) throws IOException {
    DigestingRequest request = new DigestingRequest(new GivenRequest(contentType, body).request());
    byte[] buffer = new byte[piece];
    List<Byte> seen = new ArrayList<>();
    for (int read = request.getInputStream().read(buffer);
        read >= 0;
        read = request.getInputStream().read(buffer)) {
      for (int i = 0; i < read; i++) {
        seen.add(buffer[i]);
      }
    }
    assertThat(seen).as("what the method gets").hasSize(body.length);
    for (int i = 0; i < body.length; i++) {
      assertThat(seen.get(i)).isEqualTo(body[i]);
    }
    return request.fingerprint();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data; boundary=%s",
        "multipart/form-data; charset=utf-8; BOUNDARY=\"%s\"",
        "Multipart/Mixed;boundary=%s ; type=\"a;boundary=x\"",
      })
  void theBoundaryIsNoPartOfTheRequest(String contentType) throws IOException {
    assertThat(fingerprint(contentType.formatted("b-1"), form("b-1", "paid")))
        .isEqualTo(fingerprint(contentType.formatted("----b'2"), form("----b'2", "paid")))
        .isNotEqualTo(fingerprint(contentType.formatted("b-1"), form("b-1", "Paid")));
  }

  @Test
  void everythingElseOfAFormIs() throws IOException {
    String type = "multipart/form-data; boundary=b";
    String first = fingerprint(type, form("b", "paid"));

    assertThat(
            List.of(
                fingerprint("multipart/mixed; boundary=b", form("b", "paid")),
                fingerprint(type + "; charset=utf-8", form("b", "paid")),
                fingerprint(type, "before" + form("b", "paid")),
                fingerprint(type, form("b", "paid") + "after"),
                fingerprint(type, form("b", "paid").replace("a.pdf", "b.pdf")),
                fingerprint(type, form("b", "paid") + form("b", "paid")),
                fingerprint(type, form("b", "pa\r\n--b\r\nid")),
                fingerprint(type, form("b", "paid").replace("--b--", "--b")),
                fingerprint(type, form("b", "paid").replace("\r\n", "\n")),
                fingerprint(type, form("b", "")),
                fingerprint(type, "")))
        .doesNotHaveDuplicates()
        .doesNotContain(first);
  }

  /** The text of one's boundary is content of the other, and the other way round. */
  @Test
  void contentThatLooksLikeAnotherBoundaryIsContent() throws IOException {
    assertThat(fingerprint("multipart/form-data; boundary=b", form("b", "x\r\n--c\r\ny")))
        .isNotEqualTo(fingerprint("multipart/form-data; boundary=c", form("c", "x\r\n--b\r\ny")));
    assertThat(fingerprint("multipart/form-data; boundary=b", form("b", "x\r\n--c\r\ny")))
        .isNotEqualTo(fingerprint("multipart/form-data; boundary=c", form("b", "x\r\n--c\r\ny")));
  }

  /** Others are digested as they are: their repeat is the same only byte by byte. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"a",
        "multipart/form-data; boundary=\"a\\\"b\"",
        "multipart/form-data; boundary=b; boundary=b",
        "multipart/form-data; boundary=b\u00e4",
        "multipart/form-data; boundary=\"b \"",
        "multipart/form-data;"
            + " boundary=aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg1",
        "text/plain; boundary=b",
        "multipart/form-data; x=\"boundary=b",
      })
  void aTypeWithoutAUsableBoundaryIsComparedAsItIs(String contentType) throws IOException {
    assertThat(fingerprint(contentType, form("b", "paid")))
        .isEqualTo(fingerprint(contentType, form("b", "paid")))
        .isNotEqualTo(fingerprint(contentType + "x", form("b", "paid")))
        .isNotEqualTo(fingerprint(contentType, form("b", "Paid")));
  }

  /** A delimiter may begin anywhere in a piece, or within what looked like one. */
  @Test
  void howTheBodyArrivesMakesNoDifference() throws IOException {
    Random random = new Random(32);
    for (int round = 0; round < 300; round++) {
      String boundary = text(random, 1 + random.nextInt(6), "-a");
      String body = text(random, random.nextInt(120), "-a\n");
      byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
      String type = "multipart/form-data; boundary=" + boundary;
      String whole = fingerprint(type, bytes, 8_192);

      assertThat(fingerprint(type, bytes, 1 + random.nextInt(5))).as(body).isEqualTo(whole);
      String other = "Z" + text(random, 3, "Z");
      assertThat(
              fingerprint(
                  "multipart/form-data; boundary=" + other,
                  body.replace("--" + boundary, "--" + other)))
          .as("%s in %s", boundary, body)
          .isEqualTo(whole);
    }
  }

  private static String text(Random random, int length, String of) {
    return random
        .ints(length, 0, of.length())
        .mapToObj(i -> String.valueOf(of.charAt(i)))
        .collect(Collectors.joining());
  }

  /** A filter of the application may read the request and hand on what it has read. */
  @Test
  void whatIsReadAsTextIsPartOfTheRequest() throws IOException {
    DigestingRequest one =
        new DigestingRequest(new GivenRequest("text/plain", bytes("€1")).request());
    DigestingRequest two =
        new DigestingRequest(new GivenRequest("text/plain", bytes("€2")).request());

    assertThat(one.getReader().readLine()).isEqualTo("€1");
    assertThat(two.getReader().readLine()).isEqualTo("€2");

    assertThat(one.fingerprint()).isNotEqualTo(two.fingerprint());
  }

  /** A servlet with a configuration for multipart requests leaves nothing of the body. */
  @Test
  void partsThatTheServerHasReadArePartOfTheRequest() throws IOException {
    assertThat(ofParts("one", Map.of("file", "paid")))
        .isEqualTo(ofParts("two", Map.of("file", "paid")))
        .isNotEqualTo(ofParts("one", Map.of("file", "Paid")))
        .isNotEqualTo(ofParts("one", Map.of("form", "paid")))
        .isNotEqualTo(ofParts("one", Map.of()));
  }

  private static String ofParts(String boundary, Map<String, String> parts) throws IOException {
    return new DigestingRequest(
            new GivenRequest("multipart/form-data; boundary=" + boundary, new byte[0])
                .parts(parts)
                .request())
        .fingerprint();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
