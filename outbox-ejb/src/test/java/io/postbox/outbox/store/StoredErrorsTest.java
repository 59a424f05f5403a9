package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.log.RecordedError;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.DeadLetterFilter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredErrorsTest {
  private static final String TEXT = "no such card: 4711";
  private static final RecordedError SECRET = RecordedError.of(TEXT);
  private static final String SIGNATURE = SECRET.signature();

  private final SampleCipher cipher = new SampleCipher("k1");
  private final StoredErrors errors = new StoredErrors(Optional.of(cipher));

  @Test
  void anErrorIsNotInTheClearAndComesBack() {
    String stored = errors.seal("d", SECRET);

    assertThat(stored).startsWith("sealed:").doesNotContain("4711");
    assertThat(errors.openOrTell("d", SIGNATURE, stored)).isEqualTo(TEXT);
    cipher.rotateTo("k2");
    assertThat(errors.openOrTell("d", SIGNATURE, stored)).isEqualTo(TEXT);
    assertThat(errors.seal("d", RecordedError.of("é".repeat(1_000))))
        .hasSizeLessThan(StoredErrors.LONGEST);
  }

  @Test
  void withoutACipherOrFromBeforeItItIsInTheClear() {
    assertThat(StoredErrors.CLEAR.seal("d", SECRET)).isEqualTo(TEXT);
    assertThat(errors.openOrTell("d", SIGNATURE, TEXT)).isEqualTo(TEXT);
    assertThat(errors.openOrTell("d", SIGNATURE, "")).isEmpty();
  }

  @Test
  void anErrorThatCannotBeDecryptedSaysSo() {
    String stored = errors.seal("d", SECRET);
    for (String told :
        new String[] {
          errors.openOrTell("d", "5ef0", stored),
          errors.openOrTell("e", SIGNATURE, stored),
          errors.openOrTell("d", SIGNATURE, "sealed:mutilated"),
          errors.openOrTell("d", SIGNATURE, stored + "!"),
          new StoredErrors(Optional.of(new SampleCipher("k3"))).openOrTell("d", SIGNATURE, stored),
          StoredErrors.CLEAR.openOrTell("d", SIGNATURE, stored)
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
    assertThat(new StoredErrors(Optional.of(failing)).seal("d", SECRET))
        .isEqualTo("left out, because it could not be encrypted: java.lang.IllegalStateException");
  }

  /** Code of the application that cannot be loaded, or asserts: no attempt may be lost by that. */
  @Test
  void anErrorOfTheCipherIsNoneOfTheRelay() {
    PayloadCipher failing =
        new PayloadCipher() {
          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) {
            throw new NoClassDefFoundError("kms/Client");
          }

          @Override
          public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
            throw new AssertionError("of the key 4711");
          }
        };
    StoredErrors broken = new StoredErrors(Optional.of(failing));

    assertThat(broken.seal("d", SECRET))
        .isEqualTo("left out, because it could not be encrypted: java.lang.NoClassDefFoundError");
    assertThat(broken.openOrTell("d", SIGNATURE, errors.seal("d", SECRET)))
        .isEqualTo("encrypted, and cannot be decrypted here: java.lang.AssertionError");
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
