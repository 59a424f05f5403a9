package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.DeadLetterFilter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredErrorsTest {
  private static final String SECRET = "no such card: 4711";

  private final SampleCipher cipher = new SampleCipher("k1");
  private final StoredErrors errors = new StoredErrors(Optional.of(cipher));

  @Test
  void anErrorIsNotInTheClearAndComesBack() {
    String stored = errors.seal(3, 7, SECRET);

    assertThat(stored).startsWith("sealed:").doesNotContain("4711");
    assertThat(errors.openOrTell(3, 7, stored)).isEqualTo(SECRET);
    cipher.rotateTo("k2");
    assertThat(errors.openOrTell(3, 7, stored)).isEqualTo(SECRET);
    assertThat(errors.seal(3, 7, "é".repeat(1_000))).hasSizeLessThan(StoredErrors.LONGEST);
  }

  @Test
  void withoutACipherOrFromBeforeItItIsInTheClear() {
    assertThat(StoredErrors.CLEAR.seal(3, 7, SECRET)).isEqualTo(SECRET);
    assertThat(errors.openOrTell(3, 7, SECRET)).isEqualTo(SECRET);
    assertThat(errors.openOrTell(3, 7, "")).isEmpty();
  }

  @Test
  void anErrorThatCannotBeDecryptedSaysSo() {
    String stored = errors.seal(3, 7, SECRET);
    for (String told :
        new String[] {
          errors.openOrTell(3, 8, stored),
          errors.openOrTell(4, 7, stored),
          errors.openOrTell(3, 7, "sealed:mutilated"),
          errors.openOrTell(3, 7, stored + "!"),
          new StoredErrors(Optional.of(new SampleCipher("k3"))).openOrTell(3, 7, stored),
          StoredErrors.CLEAR.openOrTell(3, 7, stored)
        }) {
      assertThat(told).startsWith("encrypted, and cannot be decrypted here: java");
    }
  }

  @Test
  void anErrorThatCannotBeEncryptedIsLeftOutAndCounts() {
    PayloadCipher failing =
        new PayloadCipher() {
          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) {
            throw new IllegalStateException(new String(plain, StandardCharsets.UTF_8));
          }

          @Override
          public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
            throw new UnsupportedOperationException("nothing was encrypted");
          }
        };
    assertThat(new StoredErrors(Optional.of(failing)).seal(3, 7, SECRET))
        .isEqualTo("left out, because it could not be encrypted: java.lang.IllegalStateException");
  }

  @Test
  void encryptedErrorsAreNotSearched() {
    DeadLetterFilter filter = DeadLetterFilter.all().errorContains("card");
    StoredErrors.CLEAR.requireSearchable(filter);
    errors.requireSearchable(DeadLetterFilter.all().signature("5ef0".repeat(8)));
    assertThatThrownBy(() -> errors.requireSearchable(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PayloadCipher")
        .hasMessageContaining("nothing was changed")
        .hasMessageContaining("DeadLetterFilter.signature");
  }
}
