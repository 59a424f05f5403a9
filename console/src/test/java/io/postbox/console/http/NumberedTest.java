package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberedTest {
  @ParameterizedTest
  @CsvSource({
    "0, '0 letters wait, and they go on: #1.'",
    "1, '1 letter waits, and it goes on: #1.'",
    "2, '2 letters wait, and they go on: #1.'",
    "12345, '12,345 letters wait, and they go on: #1.'",
  })
  void aSentenceHasTheFormsThatBelongToItsNumber(long count, String sentence) {
    assertThat(
            Numbered.sentence(
                "{# letter waits|# letters wait}, and {it goes|they go} on: #1.", count))
        .isEqualTo(sentence);
  }
}
