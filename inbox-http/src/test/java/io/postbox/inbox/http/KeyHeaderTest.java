package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {
  @Test
  void quotedAndBareKeysAreTheSame() {
    assertThat(KeyHeader.parse("\"a-1\"")).contains("a-1");
    assertThat(KeyHeader.parse(" a-1 ")).contains("a-1");
    assertThat(KeyHeader.parse("\"a\\\"b\\\\c\"")).contains("a\"b\\c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\"\"", "\" \"", "\"a", "\"a\"b", "\"a\\n\"", "a b", "a,b", "\"ä\"", "ä"})
  void malformedKeysAreRefused(String value) {
    assertThat(KeyHeader.parse(value)).isEmpty();
  }

  @Test
  void aKeyHasAtMost128Characters() {
    assertThat(KeyHeader.parse("k".repeat(128))).isPresent();
    assertThat(KeyHeader.parse("k".repeat(129))).isEmpty();
  }
}
