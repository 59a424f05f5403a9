package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyTest {

  @Test
  void itKnowsAboutHowMuchMemoryItTakes() {
    assertThat(new Body.Text("abc").size()).as("two bytes for a character").isEqualTo(6);
    assertThat(new Body.Bytes(new byte[5]).size()).isEqualTo(5);
    assertThat(new Body.Encrypted(new byte[7], "key").size()).isEqualTo(7);
    assertThat(new Body.Reference("t", "1", null).size()).isZero();
  }
}
