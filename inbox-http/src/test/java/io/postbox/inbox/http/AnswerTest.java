package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerTest {
  @Test
  void aStoredAnswerIsReadAsItWas() {
    byte[] body = {0, 1, -1, 10, 13};
    Answer answer =
        new Answer(
            "f",
            201,
            Map.of(
                "Location",
                List.of("/a:b"),
                "Content-Type",
                List.of("text/plain"),
                "Link",
                List.of("</a>; rel=first", "</b>; rel=last")),
            body);

    Answer read = Answer.parse(answer.toText());

    assertThat(read.fingerprint()).isEqualTo("f");
    assertThat(read.status()).isEqualTo(201);
    assertThat(read.headers()).isEqualTo(answer.headers());
    assertThat(read.body()).isEqualTo(body);
  }

  @Test
  void anAnswerWithoutHeadersAndBodyIsReadAgain() {
    Answer read = Answer.parse(new Answer("f", 204, Map.of(), new byte[0]).toText());

    assertThat(read.headers()).isEmpty();
    assertThat(read.body()).isEmpty();
  }

  /** The tests run in changing locales, some of which have other digits. */
  @Test
  void theStatusOfAProblemHasTheDigitsOfJson() {
    byte[] body = Answer.problem(400, "The key is missing", "Send one").body();

    assertThat(new String(body, StandardCharsets.UTF_8)).contains("\"status\":400,");
  }
}
