package io.postbox.common.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.PayloadCipher;
import io.postbox.common.testing.SampleCipher;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CipherTrialTest {
  private final CipherTrial trial = new CipherTrial();

  @Test
  void aCipherThatBindsAssociatedDataIsNoFinding() {
    SampleCipher cipher = new SampleCipher("2026");

    assertThat(trial.findings(Optional.of(cipher))).isEmpty();
    assertThat(trial.refusal(cipher)).isEmpty();
    assertThat(trial.findings(Optional.empty())).isEmpty();
  }

  @Test
  void aCipherThatBindsThemIsTriedOnce() {
    SampleCipher sample = new SampleCipher("2026");
    int[] calls = {0};
    PayloadCipher counting =
        new PayloadCipher() {
          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception {
            calls[0]++;
            return sample.encrypt(plain, associated);
          }

          @Override
          public byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception {
            return sample.decrypt(encrypted, associated);
          }
        };

    assertThat(trial.refusal(counting)).isEmpty();
    assertThat(trial.refusal(counting)).isEmpty();

    assertThat(calls[0]).isOne();
  }

  @Test
  void oneThatLeavesThemOutIsFoundAndRefusedWhereEncryptionIsRequired() {
    Forgetful cipher = new Forgetful();

    assertThat(trial.findings(Optional.of(cipher)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("cipher-associated-data");
              assertThat(found.text()).contains("swap payloads", "Cipher.updateAAD");
            });
    assertThat(trial.refusal(cipher).orElseThrow())
        .startsWith("postbox.encryption=required, and the application's PayloadCipher decrypts");
  }

  @Test
  void oneThatFailsIsTriedAgainAndNotBlamed() {
    Forgetful cipher = new Forgetful();
    cipher.hasKey = false;
    assertThat(trial.refusal(cipher)).isEmpty();

    cipher.hasKey = true;

    assertThat(trial.refusal(cipher)).isPresent();
    int calls = cipher.calls;
    assertThat(trial.refusal(cipher)).isPresent();
    assertThat(cipher.calls).as("it is tried until it is known").isEqualTo(calls);
  }

  @Test
  void oneThatDecryptsNothingAtAllIsNotTakenForOneThatBinds() {
    PayloadCipher lost =
        new PayloadCipher() {
          private int calls;

          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) {
            return new Encrypted(plain, "2026");
          }

          @Override
          public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
            if (calls++ < 2) {
              throw new IllegalStateException("the key service does not answer");
            }
            return encrypted.value();
          }
        };

    assertThat(trial.refusal(lost)).isEmpty();
    assertThat(trial.refusal(lost)).isPresent();
  }

  private static final class Forgetful implements PayloadCipher {
    private boolean hasKey = true;
    private int calls;

    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) {
      calls++;
      if (!hasKey) {
        throw new IllegalStateException("no key");
      }
      return new Encrypted(plain, "2026");
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
      calls++;
      return encrypted.value();
    }
  }
}
