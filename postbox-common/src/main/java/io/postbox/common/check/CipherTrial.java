package io.postbox.common.check;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.log.MachineErrors;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Tries whether the application's cipher uses associated data: a cipher that ignores them encrypts
 * anyway, and then anyone who may write to the tables can move a cipher text to another row. A
 * cipher that fails is tried again the next time. Thread-safe.
 */
public final class CipherTrial {
  private static final byte[] PROBE = "postbox.trial".getBytes(StandardCharsets.UTF_8);
  private static final AssociatedData OWN = new AssociatedData("postbox.trial row=1:1");
  private static final AssociatedData OTHER = new AssociatedData("postbox.trial row=1:2");

  private static final String PROBLEM =
      "%s application's PayloadCipher decrypts what was encrypted with other associated data:"
          + " anyone who may write to the tables can swap payloads between rows without notice."
          + " Pass AssociatedData.bytes() to the cipher (with AES-GCM, Cipher.updateAAD). Existing"
          + " cipher texts need the old way: use another key id for new ones.";

  private Optional<Boolean> ignores = Optional.empty();

  /**
   * A finding, if the cipher ignores associated data.
   *
   * @param cipher the application's, if it has one
   */
  public List<Finding> findings(Optional<PayloadCipher> cipher) {
    return cipher.isPresent() && ignoresAssociatedData(cipher.get())
        ? List.of(new Finding("cipher-associated-data", PROBLEM.formatted("The")))
        : List.of();
  }

  /**
   * Why nothing works with this cipher where encryption is required; empty if it does, or if it
   * failed in the trial, and then it encrypts nothing anyway.
   */
  public Optional<String> refusal(PayloadCipher cipher) {
    return ignoresAssociatedData(cipher)
        ? Optional.of(PROBLEM.formatted("postbox.encryption=required, and the"))
        : Optional.empty();
  }

  private synchronized boolean ignoresAssociatedData(PayloadCipher cipher) {
    if (ignores.isEmpty()) {
      ignores = opensWithOther(cipher);
    }
    return ignores.orElse(false);
  }

  /** Empty if that cannot be decided now. */
  private static Optional<Boolean> opensWithOther(PayloadCipher cipher) {
    try {
      Encrypted sealed = cipher.encrypt(PROBE.clone(), OWN);
      if (opens(cipher, sealed)) {
        return Optional.of(true);
      }
      boolean works = Arrays.equals(PROBE, cipher.decrypt(sealed, OWN));
      return works ? Optional.of(false) : Optional.empty();
    } catch (Throwable failed) { // the application's; the next encryption meets it again
      MachineErrors.rethrow(failed);
      return Optional.empty();
    }
  }

  private static boolean opens(PayloadCipher cipher, Encrypted sealed) {
    try {
      cipher.decrypt(sealed, OTHER);
      return true; // for any result: the change would go unnoticed
    } catch (Throwable refused) { // as it should
      MachineErrors.rethrow(refused);
      return false;
    }
  }
}
