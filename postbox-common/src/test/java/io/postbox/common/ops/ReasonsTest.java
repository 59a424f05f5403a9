package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonsTest {

  @Test
  void aReasonGoesOnRecordAsOneLine() {
    assertThat(Reasons.checked(" the queue\r\nwas full ")).isEqualTo("the queue was full");
    assertThat(Reasons.checked("x".repeat(1_000))).hasSize(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n"})
  void nothingIsNoReason(String reason) {
    assertThatThrownBy(() -> Reasons.checked(reason))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A reason has 1 to 1000 characters, and this one has 0");
  }

  @Test
  void aStoryIsNoReason() {
    assertThatThrownBy(() -> Reasons.checked("x".repeat(1_001)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A reason has 1 to 1000 characters, and this one has 1001");
  }
}
