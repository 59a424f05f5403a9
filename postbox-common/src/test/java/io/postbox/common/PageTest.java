package io.postbox.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void aPageHasUpToAThousandMessages(int size) {
    assertThat(Page.first(size)).isEqualTo(new Page(0, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_001, -1})
  void anotherSizeIsRefusedWithTheBounds(int size) {
    assertThatThrownBy(() -> Page.first(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A page has 1 to 1000 messages, and not " + size);
  }
}
