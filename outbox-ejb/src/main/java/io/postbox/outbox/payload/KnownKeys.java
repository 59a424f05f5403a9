package io.postbox.outbox.payload;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.log.MachineErrors;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tells a key that this node's cipher does not know from a row that was changed: the exceptions of
 * a cipher do not. A key is known once something was decrypted with it, or if the cipher encrypts
 * with it now. Thread-safe.
 */
final class KnownKeys {
  /** How long a message with an unknown key is left alone: the node may learn the key meanwhile. */
  static final Duration AGAIN = Duration.ofSeconds(10);

  private static final int REMEMBERED = 1_000;
  private static final byte[] PROBE = "postbox.key".getBytes(StandardCharsets.UTF_8);
  private static final AssociatedData PLACE = new AssociatedData("postbox.key row=1:1");

  private final PayloadCipher cipher;
  private final LongSupplier nanos;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> unknownSince = new HashMap<>();

  /**
   * @param cipher the application's
   * @param nanos a monotonic clock
   */
  KnownKeys(PayloadCipher cipher, LongSupplier nanos) {
    this.cipher = cipher;
    this.nanos = nanos;
  }

  /** Notes that something was decrypted with a key. */
  void decryptedWith(String key) {
    if (known.add(key)) {
      forget(key);
    }
  }

  /** Whether this node can decrypt with a key, after it has failed to decrypt something. */
  boolean isKnown(String key) {
    if (!known.contains(key)) {
      tryPresentKey();
    }
    if (known.contains(key)) {
      return true;
    }
    synchronized (this) {
      if (unknownSince.size() == REMEMBERED) { // ids of keys come from rows
        unknownSince.clear();
      }
      unknownSince.put(key, nanos.getAsLong());
    }
    return false;
  }

  /** Whether a key was unknown a moment ago. */
  synchronized boolean isUnknownNow(String key) {
    Long since = unknownSince.get(key);
    return since != null && nanos.getAsLong() - since < AGAIN.toNanos();
  }

  private synchronized void forget(String key) {
    unknownSince.remove(key);
  }

  private void tryPresentKey() {
    try {
      Encrypted sealed = cipher.encrypt(PROBE.clone(), PLACE);
      if (Arrays.equals(PROBE, cipher.decrypt(sealed, PLACE))) {
        known.add(sealed.keyId());
      }
    } catch (Throwable failed) { // the application's
      MachineErrors.rethrow(failed);
      // it knows no key now
    }
  }
}
