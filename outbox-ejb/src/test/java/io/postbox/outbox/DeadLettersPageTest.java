package io.postbox.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.DeadLetters.Page;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLettersPageTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void aPageHasUpToAThousandLetters(int size) {
    assertThat(Page.first(size)).isEqualTo(new Page(0, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_001, -1})
  void anotherSizeIsRefusedWithTheBounds(int size) {
    assertThatThrownBy(() -> Page.first(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A page has 1 to 1000 letters, and not " + size);
  }
}
